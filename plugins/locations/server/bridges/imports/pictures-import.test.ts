import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { enabledPlugin, FileStore, Jobs, LocationStore } from '#core/server';
import { buildBridge, describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import type { LocationRow } from '#core';
import {
  applyImport,
  createImport,
  createWorkbook,
  getImport,
  listImportRows,
  pushImport,
  undoImport,
} from '#plugins/imports/api';
import { imports, importsManifest } from '#plugins/imports/testing/server';
import manifest from '../../../plugin.ts';
import { listLocationPictures } from '../../../contract/api.ts';
import locations from '../../index.ts';
import locationImports from '../imports.ts';

const buildRow = (uid: string, parent: string | null): LocationRow => ({
  uid,
  parent,
  root: 'K',
  locationType: parent === null ? 'PRIMARY_LOCATION' : 'PLATFORM_UNIT',
  name: `Name of ${uid}`,
  label: '',
});
const buildPicture = (width: number, height: number, background: string): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'Secret' } })
    .toBuffer();

type Files = Readonly<Record<string, Buffer | string>>;
const buildWorkbook = (...rows: readonly Readonly<Record<string, string | null>>[]): Files => ({
  'locations.json': JSON.stringify({
    locations: rows.map((row) => ({
      name: `Name of ${row['code']}`,
      locationType: row['code'] === 'K' ? 'PRIMARY_LOCATION' : 'PLATFORM_UNIT',
      ...row,
    })),
  }),
});

describeOnDatabases('imports of pictures', (kind) => {
  let server: TestServer;
  let token: string;
  let pictures: Readonly<Record<'icon' | 'other' | 'map', Buffer>>;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [
        enabledPlugin(importsManifest, { endSessions: false }, imports),
        enabledPlugin(manifest, { alphabetical: false }, locations),
      ],
      bridges: [buildBridge('locations', 'imports', locationImports)],
    });
    token = await server.signIn({ flags: ['import', 'configure'] });
    const [icon, other, map] = await Promise.all([
      buildPicture(250, 250, 'red'),
      buildPicture(250, 250, 'blue'),
      buildPicture(1980, 1080, 'red'),
    ]);
    pictures = { icon, other, map };
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    const core = server.database.of('core');
    await sql`truncate core.location, core.change, locations.location_picture, imports.batch cascade`.execute(core);
    await server.service(LocationStore).upsert([buildRow('K', null), buildRow('K-1', 'K'), buildRow('K-2', 'K')]);
  });

  const begin = async () =>
    (
      await server.call(createImport, {
        token,
        body: { uid: randomUUID(), kind: 'locations.locations', mode: 'UPSERT' },
      })
    ).body.uid;
  /** Adds files to an import, and waits for its preview. */
  const upload = async (batch: string, files: Files) => {
    const form = new FormData();
    for (const [name, content] of Object.entries(files))
      form.append('files', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
    const headers = { authorization: `Bearer ${token}` };
    const url = `${await server.url()}/api/imports/${batch}/files`;
    const reply = await fetch(url, { method: 'POST', body: form, headers });
    expect(reply.status).toBe(200);
    await server.service(Jobs).waitForCompletion(((await reply.json()) as { job: string }).job);
    return (await server.call(getImport, { token, params: { batch } })).body;
  };
  const apply = async (batch: string, version: number) => {
    const { body } = await server.call(applyImport, {
      token,
      params: { batch },
      body: { version, remove: false, backup: false },
    });
    await server.service(Jobs).waitForCompletion(body.job!);
    return (await server.call(getImport, { token, params: { batch } })).body;
  };
  const importFiles = async (files: Files) => {
    const batch = await begin();
    const { version } = await upload(batch, files);
    return apply(batch, version);
  };
  const listFindings = async (batch: string) =>
    (await server.call(listImportRows, { token, params: { batch }, query: {} })).body.rows.flatMap(
      ({ values, findings }) =>
        findings.map(({ column, message, values: messageValues }) => [values['code'], column, message, messageValues]),
    );
  const read = async (location: string) => {
    const { body } = await server.call(listLocationPictures, { token });
    return body.find((picture) => picture.location === location);
  };
  const download = async (url: string) => {
    const { rawPayload } = await server.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
    return rawPayload;
  };
  const undo = (batch: string) => server.call(undoImport, { token, params: { batch }, body: { dryRun: false } });

  it('[ADM-10] name files that are missing, damaged or of a wrong size, until they are replaced', async () => {
    const batch = await begin();
    const workbook = buildWorkbook(
      { code: 'K', icon: 'K.jpg', navigationImage: 'map.jpg' },
      { code: 'K-1', icon: 'gone.png', navigationImage: 'K.jpg' },
      { code: 'K-2', icon: 'text.png', navigationImage: 'locations.json' },
    );
    const { version } = await upload(batch, {
      ...workbook,
      'k.JPG': pictures.icon,
      'map.jpg': pictures.map,
      'text.png': 'No picture',
    });
    const damagedFinding = ['K-2', 'icon', 'imports.refused.imageUnreadable', { file: 'text.png' }];
    const buildMissingFinding = (location: string, column: string, file: string) => [
      location,
      column,
      'imports.refused.fileMissing',
      { file },
    ];
    const size = { width: 1980, height: 1080, foundWidth: 250, foundHeight: 250 };
    expect(await listFindings(batch)).toEqual(
      expect.arrayContaining([
        buildMissingFinding('K-1', 'icon', 'gone.png'),
        ['K-1', 'navigationImage', 'imports.refused.imageSize', size],
        damagedFinding,
        buildMissingFinding('K-2', 'navigationImage', 'locations.json'),
      ]),
    );
    expect(await listFindings(batch)).toHaveLength(4);
    const body = { version, remove: false, backup: false };
    const refusedReply = await server.call(applyImport, { token, params: { batch }, body });
    expect(refusedReply.refusal.refusal?.message).toBe('imports.refused.hasErrors');
    const fixedImport = await upload(batch, {
      'gone.png': pictures.other,
      'text.png': pictures.icon,
      ...buildWorkbook({ code: 'K-1', icon: 'gone.png' }, { code: 'K-2', icon: 'text.png' }),
    });
    expect(fixedImport.sheets[0]).toMatchObject({ changed: 2, withErrors: 0 });
    const pushReply = await server.call(pushImport, {
      token,
      body: {
        uid: randomUUID(),
        kind: 'locations.locations',
        mode: 'UPSERT',
        dryRun: true,
        sheets: { locations: [{ code: 'K', icon: 'K.jpg' }] },
      },
    });
    expect(pushReply.body.findings.map(({ message }) => message)).toEqual(['imports.refused.fileMissing']);
  });

  it('[ADM-10] [IMP-07] write pictures without their metadata, export their names, and are undone', async () => {
    const first = await importFiles({
      ...buildWorkbook(
        { code: 'K-1', parent: 'K', icon: 'one.jpg', navigationImage: 'map\u202f 1.jpg' },
        { code: 'K-3', parent: 'K', icon: 'one.jpg' },
      ),
      'one.jpg': pictures.icon,
      'map\u202f 1.jpg': pictures.map,
    });
    expect(first).toMatchObject({ phase: 'DONE', result: 'SUCCESS' });
    const writtenPictures = (await read('K-1'))!;
    const icon = await sharp(await download(writtenPictures.icon!)).metadata();
    const map = await sharp(await download(writtenPictures.navigationImage!)).metadata();
    expect([icon.format, icon.width, icon.height, icon.exif]).toEqual(['webp', 250, 250, undefined]);
    expect([map.format, map.width, map.height]).toEqual(['webp', 1980, 1080]);
    expect((await read('K-3'))?.icon).not.toBeNull();
    const { rows: uploadedFiles } = await server.database.pool.query<{ file: string }>(
      'select file from imports.file where picture limit 1',
    );
    const original = server.service(FileStore).url(uploadedFiles[0]!.file);
    expect((await server.app.inject({ url: original, headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(
      403,
    );

    await server.database.pool.query(`update core.file set name = $1 where name = 'map 1.webp'`, ['map\u202f 1.webp']);
    const { body: file } = await server.call(createWorkbook, {
      token,
      params: { kind: 'locations.locations' },
      body: { language: 'en', rows: true },
    });
    const secondImport = await upload(await begin(), { [file.name]: await download(file.address) });
    expect(secondImport.sheets[0]).toMatchObject({ rows: 4, unchanged: 4, changed: 0, withErrors: 0, withWarnings: 0 });
    // The workbook of the admin names the uploaded files, which are stored as WebP.
    const repeatedBatch = await begin();
    const repeatedImport = await upload(repeatedBatch, {
      ...buildWorkbook(
        { code: 'K-1', parent: 'K', icon: 'one.jpg', navigationImage: 'map\u202f 1.jpg' },
        { code: 'K-3', parent: 'K', icon: 'one.jpg' },
      ),
      'one.jpg': pictures.other,
    });
    expect(repeatedImport.sheets[0]).toMatchObject({ unchanged: 2, changed: 0, withErrors: 0, withWarnings: 2 });
    const imageKept = ['icon', 'imports.refused.imageKept', { file: 'one.webp' }];
    expect(await listFindings(repeatedBatch)).toEqual([
      ['K-1', ...imageKept],
      ['K-3', ...imageKept],
    ]);
    const keptIconBatch = await begin();
    await upload(keptIconBatch, { ...buildWorkbook({ code: 'K-1', icon: 'one.webp' }), 'one.webp': pictures.other });
    expect(await listFindings(keptIconBatch)).toEqual([
      ['K-1', 'icon', 'imports.refused.imageKept', { file: 'one.webp' }],
    ]);

    const second = await importFiles({
      ...buildWorkbook({ code: 'K-1', icon: 'two.jpg', navigationImage: null }),
      'two.jpg': pictures.other,
    });
    const replacedPictures = (await read('K-1'))!;
    expect(replacedPictures.navigationImage).toBeNull();
    expect(replacedPictures.icon).not.toBe(writtenPictures.icon);
    expect((await undo(second.uid)).body).toMatchObject({ kept: 0, blocked: 0 });
    const { version: _version, ...restored } = (await read('K-1'))!;
    expect(writtenPictures).toMatchObject(restored);
    expect((await download(restored.icon!)).length).toBeGreaterThan(0);
    expect((await undo(first.uid)).body).toMatchObject({ kept: 0, blocked: 0 });
    expect(await read('K-1')).toMatchObject({ icon: null, navigationImage: null });
  });

  it('are refused if a picture has the name of a workbook', async () => {
    const form = new FormData();
    form.append('files', new Blob([new Uint8Array(pictures.icon)]), 'locations.xlsx');
    const headers = { authorization: `Bearer ${token}` };
    const url = `${await server.url()}/api/imports/${await begin()}/files`;
    const reply = await fetch(url, { method: 'POST', body: form, headers });
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { refusal: { message: 'core.refused.fileContent', values: { named: '.xlsx' }, where: 'locations.xlsx' } },
    ]);
  });

  it('need as many statements for twelve pictures as for two', async () => {
    const count = async (size: number) => {
      const codes = Array.from({ length: size }, (_, index) => `U-${size}-${index}`);
      const batch = await begin();
      const { version } = await upload(batch, {
        ...buildWorkbook(...codes.map((code) => ({ code, parent: 'K', icon: 'a.jpg' }))),
        'a.jpg': pictures.icon,
      });
      const { result, statements } = await new QueryCounter(server.database).record(() => apply(batch, version));
      expect(result.result).toBe('SUCCESS');
      return statements.filter((statement) => /location_picture|imports\./.test(statement)).length;
    };
    expect(await count(12)).toBe(await count(2));
  });

  it('keep no file of an import that is refused because its rows have changed since the check', async () => {
    const batch = await begin();
    const { version } = await upload(batch, {
      ...buildWorkbook({ code: 'K-1', icon: 'lost.jpg' }),
      'lost.jpg': pictures.icon,
    });
    await sql`update core.location set name = 'Other' where uid = 'K-1'`.execute(server.database.of('core'));
    expect((await apply(batch, version)).refusal?.message).toBe('imports.refused.rowsChanged');
    const { rows } = await server.database.pool.query(
      `select name from core.file where name = 'lost.webp' and state = 'stored'`,
    );
    expect(rows).toEqual([]);
  });
});
