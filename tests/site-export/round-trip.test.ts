import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql, type RawBuilder } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DemoPlant } from '#core';
import {
  Callers,
  enabledPlugin,
  FileStore,
  Jobs,
  LocationStore,
  SiteContents,
  SiteTransfers,
  type TransferredSite,
} from '#core/server';
import {
  buildBridge,
  buildVideo,
  describeOnDatabases,
  QueryCounter,
  startTestServer,
  type TestServer,
} from '#core/testing/server';
import yauzl from 'yauzl';
import { createSiteExport, listSiteExports } from '#plugins/imports/api';
import annotateManifest from '../../plugins/annotate/plugin.ts';
import annotate from '../../plugins/annotate/server/index.ts';
import expenseManifest from '../../plugins/expense/plugin.ts';
import expenseImports from '../../plugins/expense/server/bridges/imports.ts';
import expense from '../../plugins/expense/server/index.ts';
import importsManifest from '../../plugins/imports/plugin.ts';
import imports from '../../plugins/imports/server/index.ts';
import mediaManifest from '../../plugins/media/plugin.ts';
import mediaImports from '../../plugins/media/server/bridges/imports.ts';
import media from '../../plugins/media/server/index.ts';
import locationsManifest from '../../plugins/locations/plugin.ts';
import locationImports from '../../plugins/locations/server/bridges/imports.ts';
import locations from '../../plugins/locations/server/index.ts';
import mastersManifest from '../../plugins/masters/plugin.ts';
import masterImports from '../../plugins/masters/server/bridges/imports.ts';
import masters from '../../plugins/masters/server/index.ts';
import modelManifest from '../../plugins/model-3d/plugin.ts';
import modelImports from '../../plugins/model-3d/server/bridges/imports.ts';
import model from '../../plugins/model-3d/server/index.ts';
import permitsManifest from '../../plugins/permits/plugin.ts';
import permitImports from '../../plugins/permits/server/bridges/imports.ts';
import permits from '../../plugins/permits/server/index.ts';
import scanManifest from '../../plugins/scan/plugin.ts';
import scan from '../../plugins/scan/server/index.ts';
import tourManifest from '../../plugins/tour/plugin.ts';
import tourImports from '../../plugins/tour/server/bridges/imports.ts';
import tour from '../../plugins/tour/server/index.ts';
import vrManifest from '../../plugins/vr/plugin.ts';
import vr from '../../plugins/vr/server/index.ts';
import { openSiteFolder } from '../../plugins/imports/server/site-transfers/open-site-folder.ts';
import { compareExports, readManifest } from './compare-exports.ts';
import { computeViews } from './compute-views.ts';
import { buildOneDeck } from './one-deck.ts';

let folder: string;
let plant: DemoPlant;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-site-export-'));
  plant = await buildOneDeck(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Adds a shared annotation with a comment, a shared snapshot, a private annotation, and a model object mapped to a tag.
 */
async function addItems({ server, service }: TestServer): Promise<void> {
  const picture = await service(FileStore).putFolder(
    { name: 'Snapshot', mediaType: 'image/jpeg', audience: { kind: 'location', location: 'HB-M10' } },
    ['picture.jpg', 'thumbnail.jpg'].map((name) => ({ path: name, content: Buffer.from(`bytes of ${name}`) })),
  );
  const uids = { private: randomUUID(), annotation: randomUUID(), snapshot: randomUUID(), comment: randomUUID() };
  const columns = sql`'HB-M10', tour.uid, node.uid`;
  const from = sql`from tour.tour join tour.node on node.tour = tour.uid where node.code = 'HB-P01'`;
  const authorValues = sql`'ada', 'Ada', now(), now(), 3`;
  const points = JSON.stringify([{ point: [1, 2, 3], sigma: 0.01, source: 'RANGE_IMAGE', edge: false }]);
  const database = server.database.of<unknown>('core');
  for (const statement of [
    sql`insert into annotate.annotation (uid, location, tour, node, kind, name, text, status, points, shared, author,
        author_name, created_at, updated_at, version)
      select ${uids.annotation}::uuid, ${columns}, 'TEXT_LABEL', 'Leak', '=1+1', 'OPEN', ${points}::jsonb, true,
        ${authorValues} ${from}`,
    sql`insert into annotate.annotation_comment values (${uids.comment}::uuid, ${uids.annotation}::uuid, 'Seen',
      'ada', 'Ada', now())`,
    sql`insert into annotate.annotation (uid, location, tour, node, kind, name, text, status, points, shared, author,
        author_name, created_at, updated_at, version)
      select ${uids.private}::uuid, ${columns}, 'TEXT_LABEL', 'Private remark', '', 'OPEN', ${points}::jsonb, false,
        ${authorValues} ${from}`,
    sql`insert into annotate.snapshot (uid, location, tour, node, tag, name, text, marks, shared, picture, author,
        author_name, created_at, updated_at, version)
      select ${uids.snapshot}::uuid, ${columns}, null, 'Snapshot', '', '[]', true, ${picture.id}, ${authorValues} ${from}`,
    sql`insert into model_3d.mapping (model, object, kind, target)
      select model.uid, model_object.key, 'TAG', tag.uid from model_3d.model
      join model_3d.model_object on model_object.model = model.uid
      join tour.tag on tag.code = 'V-1001' limit 1`,
  ])
    await statement.execute(database);
}

/**
 * Adds markers of each kind, media, backgrounds, former codes, tie points, and a model and a cloud that have only
 * tiles.
 */
async function addSpecialCases({ server, service }: TestServer): Promise<void> {
  const files = service(FileStore);
  const audience = { kind: 'location', location: 'HB-M10' } as const;
  const webp = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#246' } })
    .webp()
    .toBuffer();
  const put = async (name: string, mediaType: string, content: Buffer) =>
    (await files.put({ name, mediaType, audience }, content)).id;
  const [picture, document] = [
    await put('deck.webp', 'image/webp', webp),
    await put('plan.pdf', 'application/pdf', Buffer.from('%PDF-1.4\n')),
  ];
  const captions = await put('film.vtt', 'text/vtt', Buffer.from('WEBVTT\n'));
  const film = await put('film.mov', 'video/mp4', buildVideo());
  const tiles = await files.putFolder({ name: 'Tiles', mediaType: 'application/json', audience }, [
    { path: 'tileset.json', content: Buffer.from('{}') },
  ]);
  const insertMarker = (
    name: string,
    shape: string,
    points: readonly (readonly number[])[],
    targetColumns: RawBuilder<unknown>,
  ) => sql`
    insert into vr.marker (uid, location, tour, shape, name, text, points, seen_from, author, author_name, version,
        updated_at, kind, target, file)
      select ${randomUUID()}, 'HB-M10', tour.uid, ${shape}, ${name}, 'Text', ${JSON.stringify(points)}::jsonb, '[]', 'ada',
        'Ada', 4, now(), ${targetColumns}
      from tour.tour where tour.location = 'HB-M10'`;
  const image = JSON.stringify([{ file: picture, name: 'deck.webp', video: false }]);
  const ties = JSON.stringify([{ pan: 10, tilt: 5, point: [1, 2, 3], used: true }]);
  const triangle = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
  ];
  const database = server.database.of<unknown>('core');
  for (const statement of [
    insertMarker('Note', 'POLYGON', triangle, sql`'NOTE', null, null`),
    insertMarker('Tag', 'POINT', [[1, 2, 3]], sql`'TAG', (select uid from tour.tag where code = 'V-1001'), null`),
    insertMarker('Way', 'POINT', [[4, 5, 6]], sql`'HOTSPOT', (select uid from tour.node where code = 'HB-P01'), null`),
    insertMarker('Plan', 'POINT', [[4, 5, 6]], sql`'DOCUMENT', null, ${document}`),
    insertMarker('Gone', 'POINT', [[4, 5, 6]], sql`'HOTSPOT', 'no node', null`),
    sql`insert into vr.document (file, location) values (${document}, 'HB-M10')`,
    sql`insert into media.background values ('LOCATION HB', 'HB', ${image}::jsonb), ('TOUR HB-M10', 'HB-M10', ${image}::jsonb),
      ('LOGIN', null, ${image}::jsonb)`,
    sql`insert into media.item values (${randomUUID()}, 'Film', 'Le film', ${film}, true, ${captions}, 2),
      (${randomUUID()}, 'Deck', null, ${picture}, false, null, 1)`,
    sql`insert into tour.code (site, kind, code, entity, replaced_at)
      select site, 'NODE', 'OLD-P01', uid, now() from tour.node where code = 'HB-P01'`,
    sql`update tour.node set posed_tilt = '{"pitch": 2.5, "roll": -1}' where code = 'HB-P01'`,
    sql`insert into tour.alignment (node, x, y, z, heading, panorama_file, residual, tie_count, ties, aligned_at)
      select uid, x, y, z, heading, panorama_file, 0.05, 1, ${ties}::jsonb, now() from tour.node where code = 'HB-P01'`,
    sql`insert into scan.cloud (uid, location, name, kind, source_files, data_file, place, stations)
      select ${randomUUID()}, 'HB-M10', 'Old cloud', 'TILES', '[]', ${tiles.id}, '{"position":[0,0,0],"heading":0}', '[]'`,
    sql`insert into model_3d.model select (jsonb_populate_record(model, jsonb_build_object('uid', ${randomUUID()}::text,
      'name', 'Large model', 'file', ${tiles.id}::text, 'tiles', 5))).* from model_3d.model limit 1`,
  ])
    await statement.execute(database);
}

describeOnDatabases('exports of sites', (kind) => {
  const startServer = (database: typeof kind): Promise<TestServer> =>
    startTestServer({
      database,
      plugins: [
        enabledPlugin(importsManifest, { endSessions: true }, imports),
        enabledPlugin(locationsManifest, { alphabetical: false }, locations),
        enabledPlugin(tourManifest, {}, tour),
        enabledPlugin(scanManifest, { token: false }, scan),
        enabledPlugin(modelManifest, { engine: 'builtin' }, model),
        enabledPlugin(annotateManifest, {}, annotate),
        enabledPlugin(mediaManifest, {}, media),
        enabledPlugin(vrManifest, { hoverNavigation: false }, vr),
        enabledPlugin(mastersManifest, {}, masters),
        enabledPlugin(permitsManifest, {}, permits),
        enabledPlugin(expenseManifest, {}, expense),
      ],
      bridges: [
        buildBridge('locations', 'imports', locationImports),
        buildBridge('tour', 'imports', tourImports),
        buildBridge('masters', 'imports', masterImports),
        buildBridge('permits', 'imports', permitImports),
        buildBridge('expense', 'imports', expenseImports),
        buildBridge('media', 'imports', mediaImports),
        buildBridge('model-3d', 'imports', modelImports),
      ],
    });
  let target: TestServer;
  let exportedSite: TransferredSite;
  let author: Parameters<SiteTransfers['importFrom']>[1];
  const firstExport = (): string => path.join(folder, `${kind}-first`);
  beforeAll(async () => {
    const source = await startServer(kind);
    try {
      await source.server.seed(plant);
      await computeViews(source);
      await addItems(source);
      await addSpecialCases(source);
      exportedSite = await source.service(SiteTransfers).exportTo(firstExport(), 'HB', 'en');
    } finally {
      await source.close();
    }
    target = await startServer(kind);
    const { uid } = await target.addPerson({ flags: 'all', userType: 'TENANT_ADMIN' });
    author = { caller: (await target.service(Callers).find({ uid }))!, requestId: 'test' };
  });
  afterAll(() => target.close());

  const changeManifest = (copy: string, change: (manifest: Awaited<ReturnType<typeof readManifest>>) => object) =>
    readManifest(copy).then((manifest) =>
      writeFile(path.join(copy, 'manifest.json'), JSON.stringify({ ...manifest, ...change(manifest) })),
    );
  const importBrokenCopy = async (name: string, change: (copy: string) => Promise<void>): Promise<unknown> => {
    const copy = path.join(folder, `${kind}-${name}`);
    await cp(firstExport(), copy, { recursive: true });
    await change(copy);
    return target
      .service(SiteTransfers)
      .importFrom(copy, author)
      .then(
        () => 'imported',
        (error: Error) => error.message,
      );
  };

  it('refuses an incomplete, changed or newer export before it writes anything', async () => {
    const workbook = 'workbooks/tour.tags.xlsx';
    expect(await importBrokenCopy('missing', (copy) => rm(path.join(copy, 'documents'), { recursive: true }))).toMatch(
      /^The file documents\/.* of the export is missing/,
    );
    expect(await importBrokenCopy('changed', (copy) => writeFile(path.join(copy, 'tour/lines.json'), '[]'))).toMatch(
      /^The file tour\/lines.json of the export was changed/,
    );
    expect(await importBrokenCopy('cut', (copy) => truncate(path.join(copy, workbook), 2000))).toMatch(
      /was changed or cut off/,
    );
    expect(await importBrokenCopy('newer', (copy) => changeManifest(copy, () => ({ version: 2 })))).toMatch(
      /has version 2/,
    );
    expect(await importBrokenCopy('no-manifest', (copy) => rm(path.join(copy, 'manifest.json')))).toMatch(
      /not a complete export/,
    );
    expect(
      await importBrokenCopy('outside', (copy) =>
        changeManifest(copy, ({ files: [file, ...rest] }) => ({ files: [{ ...file, path: '../x' }, ...rest] })),
      ),
    ).toMatch(/not a complete export/);
    // A damaged workbook whose hash matches the manifest.
    expect(
      await importBrokenCopy('damaged', async (copy) => {
        await truncate(path.join(copy, workbook), 2000);
        const sha256 = createHash('sha256')
          .update(await readFile(path.join(copy, workbook)))
          .digest('hex');
        await changeManifest(copy, ({ files }) => ({
          files: files.map((file) => (file.path === workbook ? { ...file, bytes: 2000, sha256 } : file)),
        }));
      }),
    ).not.toBe('imported');
    expect(await target.service(LocationStore).all()).toEqual([]);
  });

  it('[DAT-08] imports a site into an empty product, whose export is equal', async () => {
    const transfers = target.service(SiteTransfers);
    const expected = await transfers.importFrom(firstExport(), author, { dryRun: true });
    expect(await target.service(LocationStore).all()).toEqual([]);
    const report = await transfers.importFrom(firstExport(), author);
    expect(report.contents.flatMap(({ notes }) => notes)).toEqual([]);
    // The dry run cannot know which changes the tour workbook makes to viewpoints that do not exist yet.
    const listKnown = ({ contents }: typeof report) => contents.filter(({ content }) => content !== 'tour.tour');
    expect(listKnown(expected)).toEqual(listKnown(report));
    await computeViews(target);
    const second = path.join(folder, `${kind}-second`);
    await target.service(SiteTransfers).exportTo(second, 'HB', 'en');
    // The export names the contents that it leaves out.
    expect(await compareExports(firstExport(), second)).toEqual([
      'models/Large_model-tiles/tileset.json is only in the first',
      'scans/Old_cloud-tiles/tileset.json is only in the first',
    ]);
    const { files, contents } = await readManifest(second);
    const filledSheets = Object.keys(contents.find(({ id }) => id === 'imports.workbooks')!.counts);
    expect([...new Set(filledSheets.map((name) => name.split(' ')[0]))].toSorted()).toEqual([
      'expense.expense',
      'locations.locations',
      'masters.masters',
      'media.contacts',
      'permits.h2s',
      'permits.hac',
      'permits.permits',
      'tour.tags',
    ]);
    const count = (folderName: string): number =>
      files.filter(({ path: name }) => name.startsWith(`${folderName}/`)).length;
    // Three panoramas and three range images; the ranges of two stations; a model; an item with pictures; each a JSON.
    expect(['panoramas', 'scans', 'models', 'annotations'].map(count)).toEqual([7, 3, 2, 5]);
    expect(['markers', 'media', 'alignments', 'former-codes'].map(count)).toEqual([6, 7, 1, 1]);
    const items = await readFile(path.join(second, 'annotations/items.json'), 'utf8');
    expect(items).toContain('"author": "Ada"');
    expect(items).not.toContain('Private remark');
    expect(await readFile(path.join(second, 'annotations/annotations.csv'), 'utf8')).toContain(`,"'=1+1",OPEN,`);
    expect(await readFile(path.join(second, 'models/models.json'), 'utf8')).toContain('"target": "V-1001"');
    // Panoramas are imported with their own tilt, not with that of the pose.
    expect(await readFile(path.join(second, 'tour/viewpoints.json'), 'utf8')).toContain('"pitch": 2.5');
    expect(await readFile(path.join(second, 'panoramas/panoramas.json'), 'utf8')).not.toContain('"pitch": 2.5');
  });

  it('[DAT-08] reports the contents that an export leaves out, with counts', () => {
    const find = (id: string) => exportedSite.contents.find(({ content }) => content === id)!;
    expect(find('model-3d.models').counts).toEqual({ models: 1, 'models left out (3D Tiles alone)': 1 });
    expect(find('scan.scans').counts).toMatchObject({ clouds: 0, 'clouds left out (no upload)': 1 });
    expect(find('vr.markers')).toMatchObject({
      counts: { markers: 14 },
      // The targets of two markers of the plant are not on this deck.
      notes: ['Gone at HB-M10', 'Up the escape ladder at HB-M10-L1', 'K-1001 doors at HB-M10-L2'].map((marker) => ({
        en: `The marker ${marker} was left out, because its target no longer exists.`,
      })),
    });
    expect(find('media.media').notes).toEqual([
      {
        en: 'Left out, because they belong to the product: 1 backgrounds of the login screen.',
        fr: 'Laissés de côté, car ils appartiennent au produit : 1 arrière-plans de l’écran de connexion.',
      },
    ]);
    expect(find('tour.former-codes').counts).toEqual({ 'former codes': 1 });
    expect(find('tour.alignments').counts).toEqual({ alignments: 1 });
  });

  it('names each count in French too', () => {
    const contents = target.service(SiteContents).list();
    const names = exportedSite.contents
      .filter(({ content }) => content !== 'imports.workbooks')
      .map(({ content, counts }) => {
        const frenchCounts = contents.find(({ key }) => key === content)?.frenchCountLabels ?? {};
        return { content, without: Object.keys(counts).filter((name) => frenchCounts[name] === undefined) };
      });
    expect(names.filter(({ without }) => without.length > 0)).toEqual([]);
    expect(names.length).toBeGreaterThan(10);
  });

  it('changes nothing when it imports the same site again', async () => {
    const transfers = target.service(SiteTransfers);
    const expected = await transfers.importFrom(firstExport(), author, { dryRun: true });
    const report = await transfers.importFrom(firstExport(), author);
    expect(report).toEqual(expected);
    for (const { content, counts } of report.contents)
      expect({ content, ...counts }).toMatchObject({ content, added: 0, changed: 0 });
  });

  it('keeps the tilts of poses, which exports of earlier versions lack', async () => {
    const earlier = path.join(folder, `${kind}-earlier`);
    await cp(firstExport(), earlier, { recursive: true });
    const name = 'tour/viewpoints.json';
    const viewpoints = JSON.parse(await readFile(path.join(earlier, name), 'utf8')) as Record<string, unknown>[];
    for (const viewpoint of viewpoints) delete viewpoint['posedTilt'];
    const content = JSON.stringify(viewpoints);
    await writeFile(path.join(earlier, name), content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    await changeManifest(earlier, ({ files }) => ({
      files: files.map((file) => (file.path === name ? { ...file, bytes: Buffer.byteLength(content), sha256 } : file)),
    }));
    const { contents } = await target.service(SiteTransfers).importFrom(earlier, author, { dryRun: true });
    expect(contents.find((candidate) => candidate.content === 'tour.tour')?.counts).toMatchObject({ changed: 0 });
  });

  it('writes a ZIP file of a site in a job, and only its author can download it', async () => {
    const token = await target.signIn({ flags: ['import'] });
    const body = { uid: randomUUID(), language: 'fr' as const };
    const create = () => target.call(createSiteExport, { token, params: { location: 'HB' }, body });
    const createReply = await create();
    expect(createReply.status).toBe(201);
    expect((await create()).body).toMatchObject({ uid: body.uid });
    await target.service(Jobs).waitForCompletion(createReply.body.job!);
    const { rows } = (await target.call(listSiteExports, { token, query: {} })).body;
    expect(rows).toMatchObject([{ phase: 'DONE', siteName: 'Halvorsen Bravo', job: null }]);
    const url = rows[0]!.file!.address;
    const read = (reader: string) => target.app.inject({ url, headers: { authorization: `Bearer ${reader}` } });
    const { rawPayload } = await read(token);
    const unpackedFolder = path.join(folder, `${kind}-unpacked`);
    await unpack(rawPayload, unpackedFolder);
    const { manifest } = await openSiteFolder(unpackedFolder, new AbortController().signal);
    // The person lacks the rights for some workbooks, scans, models, markers and backgrounds.
    expect(manifest.contents.filter(({ notes: [note] }) => note?.startsWith('Left out')).map(({ id }) => id)).toEqual([
      'imports.workbooks',
      'model-3d.models',
      'scan.scans',
      'vr.markers',
      'media.media',
    ]);
    expect(manifest.files.length).toBeGreaterThan(20);
    const importerToken = await target.signIn({ flags: ['import'] });
    expect((await read(importerToken)).statusCode).toBe(403);
    expect((await target.call(listSiteExports, { token: importerToken, query: {} })).body.total).toBe(0);
    const requestElsewhere = { token, params: { location: 'HB-M10' }, body: { ...body, uid: randomUUID() } };
    expect((await target.call(createSiteExport, requestElsewhere)).status).toBe(404);
  });

  it('exports 10,500 more tags with one more statement', async () => {
    const { database } = target;
    const counter = new QueryCounter(database);
    const count = async (name: string): Promise<number> => {
      const { statements } = await counter.record(() =>
        target.service(SiteTransfers).exportTo(path.join(folder, `${kind}-${name}`), 'HB', 'en'),
      );
      // Locations and site records are cached for seconds, so that their statements depend on the time.
      return statements.filter((text) => /\btour"?\./.test(text)).length;
    };
    const few = await count('few');
    await sql`
      insert into tour.tag (uid, site, code, type, kind, description, location, search_key)
      select 'many-' || n, 'HB', 'MANY-' || n, 'TAG', 'VALVE', '', 'HB-M10', 'MANY' || n
      from generate_series(1, 10500) as n`.execute(database.of<unknown>('core'));
    expect(await count('many')).toBe(few + 1);
    const { contents } = await readManifest(path.join(folder, `${kind}-many`));
    expect(contents[0]!.counts['tour.tags Tags']).toBeGreaterThan(10_500);
  });
});

async function unpack(zip: Buffer, into: string): Promise<void> {
  const archive = await yauzl.fromBufferPromise(zip);
  for await (const entry of archive.eachEntry()) {
    const file = path.join(into, entry.fileName);
    await mkdir(path.dirname(file), { recursive: true });
    await pipeline(await archive.openReadStreamPromise(entry), createWriteStream(file));
  }
}
