import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ErrorBody, LocationRow } from '#core';
import { undoChange } from '#core/api';
import { enabledPlugin, LocationStore } from '#core/server';
import { describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import type { Corner, LocationPictures, PictureKind, PicturesSaved } from '../contract/index.ts';
import { listLocationPictures, deleteLocationPicture, saveNavigationAreas } from '../contract/api.ts';
import manifest from '../plugin.ts';
import plugin from './index.ts';
import type { LocationsTables } from './tables.ts';

const buildRow = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  name: `Name of ${uid}`,
  label: '',
  parent,
  root: uid.charAt(0),
  locationType,
});
const rows: readonly LocationRow[] = [
  buildRow('b', null, 'PRIMARY_LOCATION'),
  buildRow('b1', 'b', 'PLATFORM_UNIT'),
  buildRow('b2', 'b', 'PLATFORM_UNIT'),
  buildRow('a', null, 'PRIMARY_LOCATION'),
  buildRow('a1', 'a', 'PLATFORM_UNIT'),
];
const triangle: Corner[] = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.5, 0.9],
];
const bowTie: Corner[] = [
  [0.1, 0.1],
  [0.9, 0.9],
  [0.9, 0.1],
  [0.1, 0.9],
];

const buildPicture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } });

/** The header of a PNG with these dimensions, and no pixels. */
async function buildPngHeader(width: number, height: number): Promise<Buffer> {
  const png = await buildPicture(1, 1).png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

describeOnDatabases('changes of pictures', (database) => {
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    server = await startTestServer({ database, plugins: [enabledPlugin(manifest, { alphabetical: false }, plugin)] });
    await server.service(LocationStore).upsert(rows);
    admin = await server.signIn({ flags: ['configure'], locations: 'ALL' });
  });
  afterAll(() => server.close());
  const tables = () => server.database.of<LocationsTables>('locations');
  beforeEach(async () => {
    await tables().deleteFrom('location_picture').execute();
  });

  const find = async (location: string, token = admin): Promise<LocationPictures | undefined> =>
    (await server.call(listLocationPictures, { token })).body.find((pictures) => pictures.location === location);
  const upload = async (
    content: Buffer,
    {
      location = 'b',
      kind = 'icon',
      version = 0,
      token = admin,
      name = 'photo.png',
    }: Partial<{
      location: string;
      kind: PictureKind;
      version: number;
      token: string;
      name: string;
    }> = {},
  ): Promise<{ readonly status: number; readonly body: PicturesSaved; readonly refusal: ErrorBody }> => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(content)]), name);
    const url = `${await server.url()}/api/location-pictures/${location}/images/${kind}?version=${version}`;
    const reply = await fetch(url, { method: 'POST', body: form, headers: { authorization: `Bearer ${token}` } });
    const body: unknown = await reply.json();
    return { status: reply.status, body: body as PicturesSaved, refusal: body as ErrorBody };
  };
  const read = async (url: string | null) => {
    const { rawPayload } = await server.app.inject({ url: url!, headers: { authorization: `Bearer ${admin}` } });
    return sharp(rawPayload).metadata();
  };
  const saveAreas = (
    areas: { readonly location: string; readonly polygon: Corner[] }[],
    version = 0,
    { location = 'b', token = admin } = {},
  ) => server.call(saveNavigationAreas, { params: { location }, body: { areas, version }, token });
  const undo = async (change: string | null, token = admin) => {
    const { status, body } = await server.call(undoChange, { params: { change: change! }, body: {}, token });
    return { status, change: body.change, pictures: await find('b') };
  };

  it('crop an icon to 250 x 250 upright, without its metadata', async () => {
    const photo = await buildPicture(300, 600)
      .withExif({ IFD0: { Copyright: 'Secret' }, IFD3: { GPSLatitude: '59/1 0/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { status, body } = await upload(photo, { name: 'icon.jpg' });
    expect(status).toBe(200);
    expect(body.pictures).toMatchObject({ location: 'b', navigationImage: null, areas: [], version: 1 });
    const { width, height, format, exif, orientation } = await read(body.pictures.icon);
    expect({ width, height, format, exif, orientation }).toEqual({
      width: 250,
      height: 250,
      format: 'webp',
      exif: undefined,
      orientation: undefined,
    });
    expect(await find('b')).toEqual(body.pictures);
  });

  it('fit a navigation image into 1980 x 1080 in its aspect ratio, and never enlarge it', async () => {
    const wide = await upload(await buildPicture(4000, 1000).webp().toBuffer(), { kind: 'navigationImage' });
    expect(await read(wide.body.pictures.navigationImage)).toMatchObject({ width: 1980, height: 495 });
    const rotatedPicture = await buildPicture(600, 300).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const small = await upload(rotatedPicture, { kind: 'navigationImage', version: 1 });
    expect(await read(small.body.pictures.navigationImage)).toMatchObject({ width: 300, height: 600 });
  });

  it('refuse hostile files, and store nothing of them', async () => {
    const jpeg = await sharp({
      create: {
        width: 400,
        height: 400,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 99, sigma: 9 },
      },
    })
      .jpeg()
      .toBuffer();
    const files: Readonly<Record<string, Buffer>> = {
      text: Buffer.from('This is a text.'),
      truncated: jpeg.subarray(0, jpeg.length / 2),
      svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><script>1</script></svg>'),
      gif: await buildPicture(400, 400).gif().toBuffer(),
      pixel: await buildPicture(1, 1).png().toBuffer(),
      narrow: await buildPicture(2000, 249).png().toBuffer(),
      huge: await buildPngHeader(10_000, 6000),
      enormous: await buildPngHeader(60_000, 60_000),
    };
    for (const [name, content] of Object.entries(files))
      for (const kind of ['icon', 'navigationImage'] as const) {
        const { status, refusal } = await upload(content, { kind, name: 'hostile.png' });
        expect([name, kind, status, refusal.code]).toEqual([name, kind, 400, 'E002']);
      }
    expect(await find('b')).toBeUndefined();
    const { rows: storedFiles } = await server.database.pool.query('select name from core.file where name like $1', [
      'hostile%',
    ]);
    expect(storedFiles).toEqual([]);
  });

  it('require the flag and access to the location', async () => {
    const picture = await buildPicture(250, 250).png().toBuffer();
    const { body } = await upload(picture);
    const reader = await server.signIn({ flags: [], locations: 'ALL' });
    const otherAdmin = await server.signIn({ flags: ['configure'], locations: ['a', 'b1'] });
    for (const token of [reader, otherAdmin]) {
      expect((await upload(picture, { token, version: 1 })).status).toBe(403);
      expect((await saveAreas([], 1, { token })).status).toBe(403);
      expect((await undo(body.change, token)).status).toBe(403);
      const removal = { params: { location: 'b', kind: 'icon' as const }, query: { version: 1 }, token };
      expect((await server.call(deleteLocationPicture, removal)).status).toBe(403);
    }
    expect((await undo('unknown')).status).toBe(404);
    expect((await upload(picture, { location: 'gone' })).status).toBe(403);
    expect((await find('b'))?.version).toBe(1);
  });

  it('save areas, and refuse areas that cross themselves, lie outside of the image or are duplicates', async () => {
    const areas = [
      { location: 'b1', polygon: triangle },
      { location: 'b', polygon: triangle },
    ];
    expect((await saveAreas(areas)).body.pictures).toMatchObject({ areas, version: 1 });
    const refusedAreas = [
      [{ location: 'b1', polygon: bowTie }],
      [{ location: 'a1', polygon: triangle }],
      [{ location: 'gone', polygon: triangle }],
      [areas[0]!, areas[0]!],
      [{ location: 'b1', polygon: triangle.slice(1) }],
      [{ location: 'b1', polygon: [...triangle, [1.1, 0.5] as const] }],
      [{ location: 'b1', polygon: Array.from({ length: 65 }, (_, i): Corner => [i / 65, (i / 65) ** 2]) }],
    ];
    const replies = await Promise.all(refusedAreas.map((areasOfRequest) => saveAreas(areasOfRequest, 1)));
    expect(replies.map(({ status }) => status)).toEqual(refusedAreas.map(() => 400));
    expect(replies.slice(0, 4).map(({ body }) => (body as unknown as ErrorBody).refusal)).toEqual([
      { message: 'locations.refused.outlineCrossing', values: { name: 'Name of b1' } },
      { message: 'locations.refused.outlineElsewhere', values: { name: 'Name of a1' } },
      { message: 'locations.refused.outlineElsewhere', values: { name: 'gone' } },
      { message: 'locations.refused.outlineDouble', values: { name: 'Name of b1' } },
    ]);
    expect((await find('b'))?.areas).toEqual(areas);
  });

  it('keep the areas that the caller cannot access', async () => {
    const triangleAt = (location: string) => ({ location, polygon: triangle });
    await tables()
      .insertInto('location_picture')
      .values({ location: 'b1', areas: JSON.stringify([triangleAt('b1'), triangleAt('a1')]), version: 1 })
      .execute();
    const unitAdmin = await server.signIn({ flags: ['configure'], locations: ['b1'] });
    const savedReply = await saveAreas([], 1, { location: 'b1', token: unitAdmin });
    expect([savedReply.status, savedReply.body.pictures.areas]).toEqual([200, []]);
    expect((await find('b1'))?.areas).toEqual([triangleAt('a1')]);
    const hiddenReply = await saveAreas([triangleAt('a1')], 2, { location: 'b1', token: unitAdmin });
    expect((hiddenReply.body as unknown as ErrorBody).refusal?.values).toEqual({ name: 'a1' });
  });

  it('refuse an outdated version with the current pictures', async () => {
    const picture = await buildPicture(250, 250).png().toBuffer();
    const { body } = await upload(picture);
    const stale = await upload(picture);
    expect([stale.status, stale.refusal.current]).toEqual([409, body.pictures]);
    const areas = await saveAreas([], 7);
    expect([areas.status, areas.refusal.current]).toEqual([409, body.pictures]);
    const both = await Promise.all(['b1', 'b2'].map((location) => saveAreas([{ location, polygon: triangle }], 1)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('are undone and redone field by field, unless the field was changed since', async () => {
    const icon = await upload(await buildPicture(250, 250).png().toBuffer());
    const image = await upload(await buildPicture(600, 300).png().toBuffer(), { kind: 'navigationImage', version: 1 });
    const areas = await saveAreas([{ location: 'b1', polygon: triangle }], 2);
    const removal = {
      params: { location: 'b', kind: 'navigationImage' as const },
      query: { version: 3 },
      token: admin,
    };
    const removedReply = await server.call(deleteLocationPicture, removal);
    expect(removedReply.body.pictures).toMatchObject({ navigationImage: null, areas: areas.body.pictures.areas });
    expect((await undo(image.body.change)).status).toBe(409);
    const undone = await undo(removedReply.body.change);
    expect(undone.pictures).toEqual({ ...areas.body.pictures, version: 5 });
    expect(await read(undone.pictures!.navigationImage)).toMatchObject({ width: 600 });
    expect((await undo(removedReply.body.change)).status).toBe(409);
    expect((await undo(undone.change)).pictures?.navigationImage).toBeNull();
    expect((await undo(icon.body.change)).pictures?.icon).toBeNull();
    expect((await undo(areas.body.change)).pictures).toMatchObject({ areas: [], version: 8 });
  });

  it('are not written if nothing is different', async () => {
    const removal = { params: { location: 'b', kind: 'icon' as const }, query: { version: 0 }, token: admin };
    const unchangedReplies = [await saveAreas([]), await server.call(deleteLocationPicture, removal)];
    expect(unchangedReplies.map(({ status, body }) => [status, body.change])).toEqual([
      [200, null],
      [200, null],
    ]);
    expect(await find('b')).toMatchObject({ version: 0, icon: null, areas: [] });
    const areas = [{ location: 'b1', polygon: triangle }];
    const { body } = await saveAreas([...areas, { location: 'b2', polygon: triangle }]);
    const unitAdmin = await server.signIn({ flags: ['configure'], locations: ['b', 'b1'] });
    const secondReply = await saveAreas(body.pictures.areas, 1, { token: unitAdmin });
    expect(secondReply.body).toEqual({ change: null, pictures: body.pictures });
    const { rows: entries } = await server.database.pool.query(
      `select 1 from core.audit_log where details ->> 'change' = $1`,
      [body.change],
    );
    expect([entries.length, (await find('b'))?.version]).toEqual([1, 1]);
  });

  it('are audited with the values before and after', async () => {
    const { body } = await saveAreas([{ location: 'b2', polygon: triangle }]);
    await undo(body.change);
    const { rows: entries } = await server.database.pool.query<{ action: string; details: unknown }>(
      `select action, details from core.audit_log where subject = 'b' order by at desc, action limit 2`,
    );
    const after = { areas: [{ location: 'b2', polygon: triangle }] };
    expect(entries).toHaveLength(2);
    expect(entries.find(({ action }) => action === 'locations.areasSaved')?.details).toEqual({
      change: body.change,
      rows: [{ table: 'location_picture', key: { location: 'b' }, before: { areas: [] }, after }],
    });
    expect(entries.find(({ action }) => action === 'location.changeUndone')?.details).toMatchObject({
      rows: [{ before: after, after: { areas: [] } }],
      undoes: body.change,
    });
  });

  it('hide the areas of deleted locations, and show them again if the deletion is undone', async () => {
    await tables()
      .insertInto('location_picture')
      .values({
        location: 'b',
        icon: null,
        navigation_image: null,
        areas: JSON.stringify([{ location: 'b9', polygon: triangle }]),
      })
      .execute();
    expect(await find('b')).toMatchObject({ areas: [], version: 1 });
    expect((await saveAreas([{ location: 'b1', polygon: triangle }], 1)).body.pictures.areas).toHaveLength(1);
    await server.service(LocationStore).upsert([buildRow('b9', 'b', 'PLATFORM_UNIT')]);
    expect((await find('b'))?.areas.map(({ location }) => location)).toEqual(['b1', 'b9']);
  });

  it('save any number of areas with the same number of statements', async () => {
    const counter = new QueryCounter(server.database);
    const units = Array.from({ length: 200 }, (_, index) => buildRow(`b-${index}`, 'b', 'PLATFORM_UNIT'));
    await server.service(LocationStore).upsert(units);
    const save = (count: number, version: number) =>
      counter.record(() =>
        saveAreas(
          units.slice(0, count).map(({ uid }) => ({ location: uid, polygon: triangle })),
          version,
        ),
      );
    await save(1, 0);
    await save(2, 1);
    const smallSave = await save(1, 2);
    const largeSave = await save(200, 3);
    expect([smallSave.result.status, largeSave.result.status]).toEqual([200, 200]);
    expect(largeSave.statements.length).toBe(smallSave.statements.length);
  });
});
