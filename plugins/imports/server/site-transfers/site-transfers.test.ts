import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Callers,
  enabledPlugin,
  FileStore,
  Jobs,
  LocationStore,
  Roles,
  SiteContents,
  SiteTransfers,
  type ImportedFile,
  type ServerContext,
  type SiteImport,
} from '#core/server';
import { buildBridge, buildZip, describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { ImportKinds } from '#plugins/imports';
import { masters, mastersImports, mastersManifest } from '#plugins/masters/testing/server';
import {
  applyImport,
  applySiteImport,
  cancelSiteExport,
  cancelSiteImport,
  createSiteExport,
  listSiteExports,
  listSiteImports,
  type SiteImportState,
} from '../../contract/api.ts';
import manifest from '../../plugin.ts';
import imports from '../index.ts';
import type { KindRegistry } from '../kinds/kind-registry.ts';
import type { ImportContext } from '../import-context.ts';
import type { ImportsTables } from '../tables.ts';
import { deleteOldExports } from './site-export-rows.ts';
import { deleteOldSiteImports } from './site-import-rows.ts';
import { createWorkbookContent } from './workbook-content.ts';

/** The context of the plugin, by which a test creates contents with a small limit of rows. */
let pluginContext: ServerContext | undefined;
const observedImports: typeof imports = {
  ...imports,
  api: (api, context) => {
    pluginContext = context as unknown as ServerContext;
    imports.api?.(api, context);
  },
};
const plugins = [
  enabledPlugin(manifest, { endSessions: true }, observedImports),
  enabledPlugin(mastersManifest, {}, masters),
];
const bridges = [buildBridge('masters', 'imports', mastersImports)];

describeOnDatabases('exports and imports of a site', (database) => {
  let server: TestServer;
  let folder: string;
  let createEndlessContent: (() => Readable) | undefined;
  let importEndless: (source: SiteImport) => Promise<void> = () => expect.fail();
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-site-transfers-'));
    server = await startTestServer({ database, plugins, bridges });
    const row = { parent: null, locationType: 'PRIMARY_LOCATION' } as const;
    await server.service(LocationStore).upsert([
      { ...row, uid: 'near', root: 'near', label: 'Near', name: 'Near' },
      { ...row, uid: 'far', root: 'far', label: 'Far', name: 'Far' },
    ]);
    server.service(SiteContents).register('imports', {
      id: 'endless',
      title: { en: 'Endless', fr: 'Sans fin' },
      folder: 'endless',
      order: 1000,
      export: async ({ add }) => {
        const content = createEndlessContent?.();
        if (content) await add('endless.txt', content);
      },
      import: async (source) => {
        await importEndless(source);
        return { added: 1, changed: 0, unchanged: 0 };
      },
    });
    const kinds = server.service(ImportKinds) as KindRegistry;
    kinds.register({ ...kinds.find('masters.masters')!, id: 'masters.secret', access: 'permitAccess' });
    await sql`
      insert into masters.master (type, name, active, position) values ('ACTIVITY', 'Lifting', true, 1)`.execute(
      server.server.database.of<unknown>('core'),
    );
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const exportAs = async (token: string) => {
    const body = { uid: randomUUID(), language: 'en' as const };
    const { body: createdExport } = await server.call(createSiteExport, { token, params: { location: 'near' }, body });
    await server.service(Jobs).waitForCompletion(createdExport.job!);
    return (await server.call(listSiteExports, { token, query: {} })).body.rows[0]!;
  };

  it('lets a person download an export only while they can access its site', async () => {
    const person = await server.addPerson({ flags: ['import'], locations: ['near'] });
    const token = await server.signIn(person);
    const { file } = await exportAs(token);
    const read = async (): Promise<number> =>
      (await server.app.inject({ url: file!.address, headers: { authorization: `Bearer ${token}` } })).statusCode;
    expect(await read()).toBe(200);
    await server.service(Roles).update(person.role, { locations: ['far'] });
    expect(await read()).toBe(403);
  });

  it('returns the running export of a site, and stops within a file when it is cancelled', async () => {
    const token = await server.signIn({ flags: ['import'] });
    const start = new Promise<void>((resolve) => {
      createEndlessContent = () => {
        resolve();
        return new Readable({ read: () => undefined });
      };
    });
    const create = async () => {
      const body = { uid: randomUUID(), language: 'en' as const };
      return (await server.call(createSiteExport, { token, params: { location: 'near' }, body })).body;
    };
    const { uid, job } = await create();
    await start;
    createEndlessContent = undefined;
    expect(await create()).toMatchObject({ uid, phase: 'RUNNING' });
    const { body } = await server.call(cancelSiteExport, { token, params: { export: uid } });
    expect(body.phase).toBe('CANCELLED');
    expect((await create()).uid).not.toBe(uid);
    expect(await server.service(Jobs).waitForCompletion(job!)).toMatchObject({
      status: 'COMPLETED',
      result: 'SUCCESS',
    });
  });

  it('deletes the file of an old export before its row', async () => {
    const token = await server.signIn({ flags: ['import'] });
    const { uid } = await exportAs(token);
    const tables = server.server.database.of<ImportsTables>('imports');
    await tables
      .updateTable('site_export')
      .set({ created_at: new Date(0) })
      .where('uid', '=', uid)
      .execute();
    const count = async (): Promise<number> =>
      (await tables.selectFrom('site_export').select('uid').where('uid', '=', uid).execute()).length;
    const brokenFiles = { remove: () => Promise.reject(new Error('The disk is gone.')) };
    await expect(deleteOldExports({ tables, files: brokenFiles })).rejects.toThrow('The disk is gone.');
    expect(await count()).toBe(1);
    await deleteOldExports({ tables, files: server.service(FileStore) });
    expect(await count()).toBe(0);
  });

  it('leaves out the kinds for which the person lacks the right', async () => {
    const { phase, contents } = await exportAs(await server.signIn({ flags: ['import'] }));
    expect(phase).toBe('DONE');
    expect(contents).toMatchObject([
      {
        counts: {},
        notes: [
          {
            en: 'Left out: masters.masters.xlsx, because the person lacks the right configure.',
            fr: 'Laissé de côté : masters.masters.xlsx, car la personne n’a pas le droit configure.',
          },
          { en: 'Left out: masters.secret.xlsx, because the person lacks the right permitAccess.' },
          { en: 'Not included: people, with their accounts, roles and passwords.' },
        ],
      },
    ]);
    const { contents: moreContents } = await exportAs(await server.signIn({ flags: ['import', 'configure'] }));
    const count = 'masters.masters Masters';
    expect(Object.keys(moreContents[0]!.counts)).toEqual([count]);
    expect(moreContents[0]!.countNames[count]!.fr).toMatch(/ \(Masters\)$/);
    expect(moreContents[0]!.countNames[count]!.en).not.toContain('masters.masters');
  });

  it('continues long sheets in further workbooks, which an import reads together', async () => {
    const coreDatabase = server.server.database.of<unknown>('core');
    const count = async (): Promise<unknown> =>
      (
        await sql<{ count: number }>`select count(*)::int as count from masters.master where name like 'Long%'`.execute(
          coreDatabase,
        )
      ).rows[0]!.count;
    await sql`
      insert into masters.master (type, name, active, position)
      select 'ACTIVITY', 'Long ' || n, true, n from generate_series(10, 16) as n`.execute(coreDatabase);
    const context: ImportContext = Object.assign(Object.create(pluginContext!) as ImportContext, {
      kinds: server.service(ImportKinds) as KindRegistry,
    });
    const content = createWorkbookContent(context, 3);
    const files: ImportedFile[] = [];
    const signal = new AbortController().signal;
    const exportedCounts: Record<string, number> = {};
    await content.export({
      site: 'near',
      locations: ['near'],
      flags: ['configure'],
      language: 'en',
      signal,
      add: async (name, stream) => {
        const file = path.join(folder, name);
        await writeFile(file, stream as Readable);
        files.push({ name, path: file, bytes: (await stat(file)).size, sha256: '' });
        return name;
      },
      addStored: () => expect.fail(),
      count: (counts) => void Object.assign(exportedCounts, counts),
      note: () => undefined,
    });
    const exportedCount = exportedCounts['masters.masters Masters']!;
    expect(files.map(({ name }) => name)).toEqual(
      ['', '-2', '-3', '-4'].slice(0, Math.ceil(exportedCount / 3)).map((part) => `masters.masters${part}.xlsx`),
    );
    expect(files.length).toBeGreaterThan(2);
    await sql`delete from masters.master where name like 'Long%'`.execute(coreDatabase);
    const { uid } = await server.addPerson({ flags: ['import', 'configure'] });
    const notes: string[] = [];
    const source = {
      site: 'near',
      author: { caller: (await server.service(Callers).find({ uid }))!, requestId: 'long' },
      signal,
      dryRun: false,
      files,
      requireFile: () => expect.fail(),
      read: () => expect.fail(),
      note: (sentence: string) => void notes.push(sentence),
      advance: () => Promise.resolve(),
    };
    await content.check?.(source);
    expect(await content.import(source)).toEqual({ added: 7, changed: 0, unchanged: exportedCount - 7 });
    expect([await count(), notes]).toEqual([7, []]);
    const { rows: batches } = await sql`select uid from imports.batch where author = ${uid}`.execute(coreDatabase);
    expect(batches).toHaveLength(1);
    await sql`delete from masters.master where name like 'Long%'`.execute(coreDatabase);
  });

  it('imports what the admin may import, and says what was left out', async () => {
    const exportFolder = path.join(folder, 'all');
    const { contents } = await server.service(SiteTransfers).exportTo(exportFolder, 'near', 'en');
    expect(Object.keys(contents[0]!.counts)).toEqual(['masters.masters Masters', 'masters.secret Masters']);
    await sql`truncate masters.master cascade`.execute(server.server.database.of<unknown>('core'));
    const { uid } = await server.addPerson({ flags: ['import', 'configure'] });
    const caller = (await server.service(Callers).find({ uid }))!;
    const report = await server.service(SiteTransfers).importFrom(exportFolder, { caller, requestId: 'test' });
    expect(report.contents).toMatchObject([
      {
        content: 'imports.workbooks',
        counts: { added: 1, changed: 0, unchanged: 0 },
        notes: [{ en: 'Left out: masters.secret.xlsx, because the person lacks the right permitAccess.' }],
      },
    ]);
    const distantPerson = await server.addPerson({ flags: ['import', 'configure'], locations: ['far'] });
    const outsiderAuthor = { caller: (await server.service(Callers).find(distantPerson))!, requestId: 'outsider' };
    await expect(server.service(SiteTransfers).importFrom(exportFolder, outsiderAuthor)).rejects.toMatchObject({
      status: 403,
    });
    const { rows: entries } = await sql`
      select actor, subject, name, location, request from core.audit_log
      where action = 'imports.siteImported'`.execute(server.server.database.of<unknown>('core'));
    expect(entries).toEqual([{ actor: uid, subject: 'near', name: 'Near', location: 'near', request: 'test' }]);
  });

  describe('from a page', () => {
    let token: string;
    let zip: Buffer;
    beforeAll(async () => {
      token = await server.signIn({ flags: ['import', 'configure'] });
      const exportFolder = path.join(folder, 'page');
      createEndlessContent = () => Readable.from(['x']);
      await sql`
        insert into masters.master (type, name, active, position) values ('ACTIVITY', 'Diving', true, 2)`.execute(
        server.server.database.of<unknown>('core'),
      );
      await server.service(SiteTransfers).exportTo(exportFolder, 'near', 'en');
      createEndlessContent = undefined;
      const names = (await readdir(exportFolder, { recursive: true })).filter((name) => path.extname(name) !== '');
      // With a folder around the export, as programs pack it.
      zip = buildZip(
        Object.fromEntries(
          await Promise.all(
            names.map(async (name) => [`near/${name}`, await readFile(path.join(exportFolder, name))] as const),
          ),
        ),
      );
    });

    const send = async (content: Buffer, { as = token, uid = randomUUID() as string } = {}) => {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(content)], { type: 'application/zip' }), 'near.zip');
      const headers = { authorization: `Bearer ${as}` };
      const url = `${await server.url()}/api/site-imports/${uid}`;
      const reply = await fetch(url, { method: 'POST', headers, body: form });
      return { status: reply.status, body: (await reply.json()) as SiteImportState };
    };
    const find = async (uid: string): Promise<SiteImportState> =>
      (await server.call(listSiteImports, { token, query: {} })).body.rows.find((row) => row.uid === uid)!;
    const waitForJob = async ({ uid, job }: SiteImportState): Promise<SiteImportState> => {
      await server.service(Jobs).waitForCompletion(job!);
      return find(uid);
    };
    const upload = async (content: Buffer) => waitForJob((await send(content)).body);
    const decide = (endpoint: typeof applySiteImport | typeof cancelSiteImport, uid: string, as = token) =>
      server.call(endpoint, { token: as, params: { import: uid } });
    const listMasters = async (): Promise<unknown[]> =>
      (await sql`select name from masters.master order by name`.execute(server.server.database.of<unknown>('core')))
        .rows;
    const removeMasters = () =>
      sql`truncate masters.master cascade`.execute(server.server.database.of<unknown>('core'));

    it('shows what would be added, and writes it when a person applies it', async () => {
      await removeMasters();
      importEndless = () => Promise.resolve();
      const preview = await upload(zip);
      expect(preview).toMatchObject({
        phase: 'PREVIEW',
        site: 'near',
        siteName: 'Near',
        fileName: 'near.zip',
        applicable: true,
        contents: [
          {
            title: { en: 'Workbooks', fr: 'Classeurs' },
            counts: { added: 2, changed: 0, unchanged: 0 },
            notes: [{ en: 'Left out: masters.secret.xlsx, because the person lacks the right permitAccess.' }],
          },
          { title: { en: 'Endless' } },
        ],
      });
      expect(await listMasters()).toEqual([]);
      const finishedImport = await waitForJob((await decide(applySiteImport, preview.uid)).body);
      expect(finishedImport).toMatchObject({ phase: 'DONE', applicable: false, restarted: false, refusal: null });
      expect(finishedImport.contents).toEqual(preview.contents);
      expect(await listMasters()).toEqual([{ name: 'Diving' }, { name: 'Lifting' }]);
      expect((await decide(applySiteImport, preview.uid)).body.phase).toBe('DONE');
      expect((await decide(cancelSiteImport, preview.uid)).status).toBe(409);
    });

    it('accepts a site only from people with all rights, and shows it only to its author', async () => {
      const weakToken = await server.signIn({ flags: ['import'] });
      expect((await send(zip, { as: weakToken })).status).toBe(403);
      const outsiderToken = await server.signIn({ flags: ['import', 'configure'], locations: ['far'] });
      const { body } = await send(zip, { as: outsiderToken });
      await server.service(Jobs).waitForCompletion(body.job!);
      expect((await server.call(listSiteImports, { token: outsiderToken, query: {} })).body.rows).toMatchObject([
        { phase: 'FAILED', refusal: { message: 'imports.refused.transferPlaces' }, applicable: false },
      ]);
      expect((await decide(applySiteImport, body.uid)).status).toBe(404);
      expect((await send(zip, { uid: body.uid })).status).toBe(409);
    });

    it('creates one import if the same upload is sent twice at the same time', async () => {
      importEndless = () => Promise.resolve();
      const uid = randomUUID();
      const [first, second] = await Promise.all([send(zip, { uid }), send(zip, { uid })]);
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.body.uid).toBe(uid);
      for (const { body } of [first, second])
        if (body.job !== null) await server.service(Jobs).waitForCompletion(body.job);
      expect((await decide(cancelSiteImport, uid)).body.phase).toBe('CANCELLED');
    });

    it('ends a check without a failure if it is cancelled', async () => {
      let discard: () => void = () => undefined;
      const start = new Promise<void>((begin) => {
        importEndless = () =>
          new Promise((_, fail) => {
            discard = () => fail(new Error('Its file is gone.'));
            begin();
          });
      });
      const { body } = await send(zip);
      await start;
      expect((await decide(cancelSiteImport, body.uid)).body.phase).toBe('CANCELLED');
      importEndless = () => Promise.resolve();
      discard();
      expect(await server.service(Jobs).waitForCompletion(body.job!)).toMatchObject({ result: 'SUCCESS' });
    });

    it('cancels a preview with its file, and refuses a damaged file', async () => {
      const { uid } = await upload(zip);
      expect((await send(zip, { uid })).body).toMatchObject({ uid, phase: 'PREVIEW' });
      expect((await decide(cancelSiteImport, uid)).body).toMatchObject({ phase: 'CANCELLED', applicable: false });
      expect((await decide(applySiteImport, uid)).status).toBe(409);
      expect(await upload(zip.subarray(0, zip.length - 30))).toMatchObject({
        phase: 'FAILED',
        refusal: { message: 'imports.refused.transferZipDamaged' },
      });
      const tables = server.server.database.of<ImportsTables>('imports');
      const files = await tables.selectFrom('site_import').select('file').where('file', 'is not', null).execute();
      expect(files).toEqual([]);
    });

    it('keeps the file if its check fails because of the server, and checks it again', async () => {
      importEndless = () => Promise.reject(new Error('The disk is gone.'));
      const failedImport = await upload(zip);
      expect(failedImport).toMatchObject({
        phase: 'FAILED',
        applicable: true,
        refusal: { message: 'imports.refused.transferCheckFailed' },
      });
      importEndless = () => Promise.resolve();
      const checkedImport = await waitForJob((await decide(applySiteImport, failedImport.uid)).body);
      expect(checkedImport).toMatchObject({ phase: 'PREVIEW', site: 'near', refusal: null });
      await decide(cancelSiteImport, failedImport.uid);
    });

    it('continues after a restart, and can be repeated after a failure', async () => {
      await removeMasters();
      importEndless = () => Promise.resolve();
      const { uid } = await upload(zip);
      importEndless = () => Promise.reject(new Error('The disk is gone.'));
      const failedImport = await waitForJob((await decide(applySiteImport, uid)).body);
      expect(failedImport).toMatchObject({
        phase: 'FAILED',
        applicable: true,
        refusal: { message: expect.any(String) },
      });
      expect(await listMasters()).toHaveLength(2);
      let attempts = 0;
      importEndless = async ({ advance }) => {
        attempts += 1;
        if (attempts > 1) return;
        // As if the process was killed: its next write finds that the lease is lost.
        await sql`update core.job set holder = 'dead', lease_until = now() - interval '1 second'
          where kind = 'imports.import-site' and state = 'running'`.execute(server.server.database.of<unknown>('core'));
        await new Promise((resolve) => setImmediate(resolve));
        await advance(1);
      };
      const finishedImport = await waitForJob((await decide(applySiteImport, uid)).body);
      expect(attempts).toBe(2);
      expect(finishedImport).toMatchObject({ phase: 'DONE', restarted: true });
      expect(finishedImport.contents[0]!.counts).toEqual({ added: 0, changed: 0, unchanged: 2 });
    });

    it('writes no kind twice, and keeps the corrections of a kind that failed', async () => {
      await removeMasters();
      importEndless = () => Promise.resolve();
      const { uid } = await upload(zip);
      importEndless = () => Promise.reject(new Error('The disk is gone.'));
      const applyAgain = async () => waitForJob((await decide(applySiteImport, uid)).body);
      await applyAgain();
      const tables = server.server.database.of<ImportsTables>('imports');
      const { uid: batch } = await tables
        .selectFrom('batch')
        .select('uid')
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow();
      const setPhase = (phase: 'PREVIEW' | 'DONE') =>
        tables.updateTable('batch').set({ phase }).where('uid', '=', batch).execute();
      await setPhase('PREVIEW');
      await tables
        .updateTable('staged_row')
        .set({ edits: JSON.stringify({ name: 'Better' }) })
        .where('batch', '=', batch)
        .execute();
      const correctedImport = await applyAgain();
      expect(correctedImport.refusal).toMatchObject({ message: 'imports.refused.transferCorrected' });
      expect(await tables.selectFrom('batch').select('phase').where('uid', '=', batch).execute()).toHaveLength(1);
      await tables.updateTable('batch').set({ dry_run: true }).where('uid', '=', batch).execute();
      const { version } = await tables
        .selectFrom('batch')
        .select('version')
        .where('uid', '=', batch)
        .executeTakeFirstOrThrow();
      const body = { version, remove: false, backup: false };
      const appliedReply = await server.call(applyImport, { token, params: { batch }, body });
      expect([appliedReply.status, appliedReply.refusal.refusal?.message]).toEqual([409, 'imports.refused.wrongPhase']);
      await setPhase('DONE');
      await sql`update masters.master set name = 'Welding' where name = 'Diving'`.execute(
        server.server.database.of<unknown>('core'),
      );
      importEndless = () => Promise.resolve();
      const finishedImport = await applyAgain();
      expect(finishedImport).toMatchObject({ phase: 'DONE', contents: [{ counts: { added: 0, unchanged: 2 } }, {}] });
      expect(await listMasters()).toEqual([{ name: 'Lifting' }, { name: 'Welding' }]);
    });

    it('deletes old imports', async () => {
      const tables = server.server.database.of<ImportsTables>('imports');
      await tables
        .updateTable('site_import')
        .set({ created_at: new Date(0) })
        .execute();
      // An import whose job was given up.
      await tables
        .insertInto('site_import')
        .values({
          uid: randomUUID(),
          author: 'a',
          file: null,
          file_name: 'near.zip',
          bytes: 1,
          phase: 'APPLYING',
          job: randomUUID(),
          created_at: new Date(0),
        })
        .execute();
      await deleteOldSiteImports({ tables, files: server.service(FileStore), jobs: server.service(Jobs) });
      expect(await tables.selectFrom('site_import').selectAll().execute()).toEqual([]);
    });
  });
});
