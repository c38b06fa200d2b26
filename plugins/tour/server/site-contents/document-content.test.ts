import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  Callers,
  enabledPlugin,
  LocationStore,
  SiteContents,
  type ImportedCounts,
  type ImportedFile,
  type SiteContent,
  type SiteImport,
} from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import manifest from '../../plugin.ts';
import tour from '../index.ts';
import type { TourTables } from '../tables.ts';

describeOnDatabases('import of exported documents', (database) => {
  let server: TestServer;
  let folder: string;
  let content: SiteContent;
  let author: SiteImport['author'];
  const files = new Map<string, ImportedFile>();
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-document-content-'));
    for (const name of ['a.pdf', 'b.pdf']) {
      const bytes = Buffer.from(`%PDF-1.7\n${name}\n%%EOF\n`);
      await writeFile(path.join(folder, name), bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      files.set(name, { name, path: path.join(folder, name), bytes: bytes.length, sha256 });
    }
    server = await startTestServer({ database, plugins: [enabledPlugin(manifest, {}, tour)] });
    const site = { label: 'Site', name: 'Site', parent: null, locationType: 'PRIMARY_LOCATION' } as const;
    await server.service(LocationStore).upsert([{ ...site, uid: 'site', root: 'site' }]);
    content = server
      .service(SiteContents)
      .list()
      .find(({ key }) => key === 'tour.documents')!;
    const { uid } = await server.addPerson({ flags: 'all' });
    author = { caller: (await server.service(Callers).find({ uid }))!, requestId: 'test' };
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const importRevision = async (
    change: { readonly status?: string; readonly issuedOn?: string; readonly file?: string } = {},
  ): Promise<{ readonly counts: ImportedCounts; readonly notes: readonly string[] }> => {
    const notes: string[] = [];
    const revision = {
      revision: 'A',
      status: 'S4',
      issuedOn: '2026-01-31',
      file: 'a.pdf',
      name: 'Plan.pdf',
      ...change,
    };
    const document = { code: 'D-1', title: 'Plan', location: 'site', revisions: [revision], tags: [] };
    const counts = await content.import({
      site: 'site',
      author,
      signal: new AbortController().signal,
      files: [...files.values()],
      requireFile: (name) => files.get(name)!,
      read: () => Promise.resolve([document] as never),
      dryRun: false,
      advance: () => Promise.resolve(),
      note: (sentence) => void notes.push(sentence),
    });
    return { counts, notes };
  };

  it('changes the status and date of a revision, and notes a different file', async () => {
    const unchangedCounts = { added: 0, changed: 0, unchanged: 1 };
    expect((await importRevision()).counts).toEqual({ added: 1, changed: 0, unchanged: 0 });
    expect(await importRevision()).toEqual({ counts: unchangedCounts, notes: [] });
    const later = { status: 'A1', issuedOn: '2026-02-28' };
    expect(await importRevision(later)).toEqual({ counts: { added: 0, changed: 1, unchanged: 0 }, notes: [] });
    expect(await importRevision({ ...later, file: 'b.pdf' })).toEqual({
      counts: unchangedCounts,
      notes: ['The file of D-1, revision A was left out: this product has another file for it.'],
    });
    const rows = await server.database
      .of<TourTables>('tour')
      .selectFrom('document_revision')
      .select(['revision', 'status', 'issued_on'])
      .execute();
    expect(rows).toEqual([{ revision: 'A', status: 'A1', issued_on: '2026-02-28' }]);
  });
});
