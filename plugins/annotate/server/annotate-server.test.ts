import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ErrorBody, LocationRow } from '#core';
import { enabledPlugin, LocationStore } from '#core/server';
import { describeAccess, describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import type { Measurement, MeasurementInput } from '#plugins/annotate';
import { deleteMeasurement, listMeasurements, putMeasurement } from '../contract/api.ts';
import manifest from '../plugin.ts';
import annotate from './index.ts';

const buildLocation = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType,
});
const toUid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const buildInput = (changes: Partial<MeasurementInput> = {}): MeasurementInput => ({
  kind: 'DISTANCE',
  name: 'Nozzle to rail',
  points: [
    { point: [1, 2, 3.000_000_1], sigma: 0.002, source: 'RANGE_IMAGE', edge: false },
    { point: [4, 6, 3], sigma: null, source: 'MODEL', edge: true },
  ],
  result: { value: 5, sigma: null, details: { horizontal: 5, vertical: 0 } },
  unit: 'ft',
  tour: 'T1',
  node: 'N1',
  view: 'node=N1&pan=10',
  shared: false,
  version: 0,
  ...changes,
});

describeAccess('access to measurements', [enabledPlugin(manifest, {}, annotate)]);

describeOnDatabases('measurements', (kind) => {
  let server: TestServer;
  let ann: string;
  let ben: string;
  /** The token of a person with the flag `configure`. */
  let cleo: string;

  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins: [enabledPlugin(manifest, {}, annotate)] });
    await server
      .service(LocationStore)
      .upsert([
        buildLocation('site', null, 'PRIMARY_LOCATION'),
        buildLocation('unit', 'site', 'PLATFORM_UNIT'),
        buildLocation('lower', 'unit', 'LOC_LEVEL'),
        buildLocation('upper', 'unit', 'LOC_LEVEL'),
      ]);
    [ann, ben, cleo] = [await server.signIn(), await server.signIn(), await server.signIn({ flags: ['configure'] })];
  });
  afterAll(() => server.close());

  const put = (token: string, uid: string, body: MeasurementInput, location = 'lower') =>
    server.call(putMeasurement, { params: { location, uid }, body, token });
  const listNames = async (token: string, location = 'unit') =>
    (await server.call(listMeasurements, { params: { location }, query: {}, token })).body.rows.map(
      (measurement) => measurement.name,
    );

  it('[TOUR-08] saves a measurement as sent, with its author', async () => {
    const { status, body } = await put(ann, toUid(1), buildInput());
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...buildInput({ version: 1 }), uid: toUid(1), location: 'lower', own: true });
    const [measurement] = (await server.call(listMeasurements, { params: { location: 'unit' }, query: {}, token: ann }))
      .body.rows;
    expect(measurement).toEqual(body);
    expect(await listNames(ben)).toEqual([]);
    expect((await put(ben, toUid(1), buildInput({ version: 1 }))).status).toBe(404);
  });

  it('[TOUR-08] shows a shared measurement only to people who can access its location', async () => {
    await put(ann, toUid(2), buildInput({ name: 'Shared', shared: true }));
    const [upper, lower] = [
      await server.signIn({ locations: ['upper'] }),
      await server.signIn({ locations: ['lower'] }),
    ];
    expect(await listNames(ben)).toEqual(['Shared']);
    expect(await listNames(lower, 'lower')).toEqual(['Shared']);
    expect(await listNames(upper, 'upper')).toEqual([]);
    expect(
      (await server.call(listMeasurements, { params: { location: 'unit' }, query: {}, token: upper })).status,
    ).toBe(403);
    expect((await put(upper, toUid(2), buildInput({ version: 1, shared: true }))).status).toBe(403);
    expect((await put(upper, toUid(2), buildInput({ version: 1, shared: true }), 'upper')).status).toBe(404);
  });

  it('[TOUR-08] refuses a change of an outdated version and returns the current version', async () => {
    expect(
      (await put(cleo, toUid(2), buildInput({ name: "Cleo's name", shared: true, version: 1 }))).body,
    ).toMatchObject({
      version: 2,
      own: false,
      editable: true,
    });
    const reply = await put(ann, toUid(2), buildInput({ name: "Ann's name", shared: true, version: 1 }));
    expect(reply.status).toBe(409);
    const { code, current } = reply.body as unknown as ErrorBody;
    expect(code).toBe('E007');
    expect(current as Measurement).toMatchObject({ name: "Cleo's name", version: 2, own: true });
    expect((await put(ann, toUid(2), buildInput({ name: "Ann's name", shared: true, version: 2 }))).body.version).toBe(
      3,
    );
    expect((await put(cleo, toUid(2), buildInput({ version: 3 }))).status).toBe(403);
  });

  it('[TOUR-08] lets only the author and people with `configure` edit a shared measurement, and logs their edits', async () => {
    const remove = (token: string) =>
      server.call(deleteMeasurement, { params: { location: 'lower', uid: toUid(20) }, token });
    await put(ann, toUid(20), buildInput({ name: 'Theirs', shared: true }));
    const reply = await put(ben, toUid(20), buildInput({ name: "Ben's", shared: true, version: 1 }));
    expect([reply.status, (reply.body as unknown as ErrorBody).message]).toEqual([
      403,
      'Only the author of this measurement and people with the configure right can edit it.',
    ]);
    const findAs = async (token: string) =>
      (await server.call(listMeasurements, { params: { location: 'unit' }, query: {}, token })).body.rows.find(
        ({ uid }) => uid === toUid(20),
      );
    expect(await findAs(ben)).toMatchObject({ name: 'Theirs', version: 1, own: false, editable: false });
    expect(await findAs(cleo)).toMatchObject({ own: false, editable: true });
    expect(await findAs(ann)).toMatchObject({ own: true, editable: true });
    expect((await put(cleo, toUid(20), buildInput({ name: 'Checked', shared: true, version: 1 }))).status).toBe(200);
    expect((await remove(ben)).status).toBe(403);
    // Two simultaneous deletions delete and log once.
    expect((await Promise.all([remove(cleo), remove(cleo)])).map(({ status }) => status)).toEqual([200, 200]);
    const auditLog = await server.database.query<{ action: string; details: object }>(
      'select action, details from core.audit_log where subject = $1 order by id',
      [toUid(20)],
    );
    expect(auditLog).toMatchObject([
      { action: 'annotate.changed', details: { thing: 'measurement' } },
      { action: 'annotate.deleted', details: { thing: 'measurement' } },
    ]);
    // The flag does not make private items of other people visible.
    await put(ann, toUid(21), buildInput({ name: 'Private' }));
    expect((await put(cleo, toUid(21), buildInput({ version: 1, shared: true }))).status).toBe(404);
  });

  it('[TOUR-08] saves a repeated request once, also if both are simultaneous', async () => {
    const replies = await Promise.all([
      put(ann, toUid(3), buildInput({ name: 'Once' })),
      put(ann, toUid(3), buildInput({ name: 'Once' })),
    ]);
    expect(replies.map(({ status, body }) => [status, body.version])).toEqual([
      [200, 1],
      [200, 1],
    ]);
    expect((await listNames(ann)).filter((name) => name === 'Once')).toHaveLength(1);
  });

  it('[TOUR-08] lets the author delete a measurement, and restores it if it is sent again', async () => {
    const remove = (token: string, uid: string) =>
      server.call(deleteMeasurement, { params: { location: 'lower', uid }, token });
    expect((await remove(ben, toUid(2))).status).toBe(403);
    expect((await remove(ben, toUid(3))).status).toBe(404);
    expect((await remove(ann, toUid(3))).status).toBe(200);
    expect((await remove(ann, toUid(3))).status).toBe(200);
    expect(await listNames(ann)).not.toContain('Once');
    expect((await put(ann, toUid(3), buildInput({ name: 'Once', version: 1 }))).body.version).toBe(2);
  });

  it.each([[{ kind: 'VOLUME' }], [{ name: '' }], [{ points: [] }], [{ unit: 'mile' }]])(
    'refuses the invalid input %j',
    async (changes) => {
      expect((await put(ann, toUid(9), { ...buildInput(), ...changes } as MeasurementInput)).status).toBe(400);
    },
  );
});
