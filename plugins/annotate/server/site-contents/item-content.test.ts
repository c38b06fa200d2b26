import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Callers, enabledPlugin, LocationStore, SiteContents, type SiteContent } from '#core/server';
import { describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import { tour, tourManifest } from '#plugins/tour/testing/server';
import manifest from '../../plugin.ts';
import annotate from '../index.ts';
import type { ExportedItems } from './item-record.ts';

/** A statement has at most 65,535 parameters, and a comment has six columns. */
const manyComments = 11_000;

describeOnDatabases('exported annotations', (database) => {
  let server: TestServer;
  let content: SiteContent;
  beforeAll(async () => {
    server = await startTestServer({
      database,
      plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(manifest, {}, annotate)],
    });
    const site = { label: 'Site', name: 'Site', parent: null, locationType: 'PRIMARY_LOCATION' } as const;
    await server.service(LocationStore).upsert([{ ...site, uid: 'site', root: 'site' }]);
    await sql`insert into tour.tour (uid, code, name, location, site) values ('t', 'T', 'Tour', 'site', 'site')`.execute(
      server.database.of<unknown>('core'),
    );
    content = server
      .service(SiteContents)
      .list()
      .find(({ key }) => key === 'annotate.items')!;
  });
  afterAll(() => server.close());

  const importAnnotations = async (annotations: ExportedItems['annotations']) => {
    const { uid } = await server.addPerson({ flags: 'all' });
    const caller = (await server.service(Callers).find({ uid }))!;
    return content.import({
      site: 'site',
      author: { caller, requestId: 'test' },
      signal: new AbortController().signal,
      files: [],
      requireFile: () => expect.fail(),
      read: () => Promise.resolve({ measurements: [], annotations, snapshots: [] } as never),
      dryRun: false,
      advance: () => Promise.resolve(),
      note: (sentence) => expect.fail(sentence),
    });
  };
  const exportItems = async (): Promise<ExportedItems> => {
    const addedFiles = new Map<string, unknown>();
    await content.export({
      site: 'site',
      locations: ['site'],
      flags: 'ALL',
      language: 'en',
      signal: new AbortController().signal,
      add: (name, file) => Promise.resolve(addedFiles.set(name, file) && name),
      addStored: () => Promise.resolve(undefined),
      count: () => undefined,
      note: () => undefined,
    });
    return JSON.parse(addedFiles.get('items.json') as string) as ExportedItems;
  };

  it('imports and exports any number of comments with the same number of statements', async () => {
    const [first, ...more] = [buildAnnotation(manyComments), buildAnnotation(2), buildAnnotation(0)];
    expect(await importAnnotations([first!])).toEqual({ added: 1, changed: 0, unchanged: 0 });
    const counter = new QueryCounter(server.database);
    const singleExport = await counter.record(exportItems);
    expect(singleExport.result.annotations[0]!.comments).toHaveLength(manyComments);
    await importAnnotations(more);
    const three = await counter.record(exportItems);
    expect(three.result.annotations.map(({ comments }) => comments.length).toSorted((a, b) => a - b)).toEqual([
      0,
      2,
      manyComments,
    ]);
    expect(three.statements).toEqual(singleExport.statements);
  });
});

const buildAnnotation = (comments: number): ExportedItems['annotations'][number] => ({
  uid: randomUUID(),
  location: 'site',
  viewpoint: null,
  name: 'Leak',
  view: null,
  kind: 'TEXT_LABEL',
  text: '',
  temperature: null,
  status: 'OPEN',
  points: [],
  author: 'Ada',
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
  comments: Array.from({ length: comments }, (_, index) => ({
    uid: randomUUID(),
    text: `Remark ${index}`,
    author: 'Ada',
    createdAt: '2026-11-20T09:00:00.000Z',
  })),
});
