import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, afterEach, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { LocationRow, LocationType } from '#core';
import { enabledPlugin, Jobs, LocationStore } from '#core/server';
import { buildBridge, describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import {
  applyImport,
  cancelImport,
  createImport,
  getImport,
  listFollowingKinds,
  listImportKinds,
  pushImport,
  undoImport,
} from '#plugins/imports/api';
import { imports, importsManifest } from '#plugins/imports/testing/server';
import { tour, tourManifest, type TourTables } from '#plugins/tour/testing/server';
import permitsManifest from '../../plugins/permits/plugin.ts';
import permitsImports from '../../plugins/permits/server/bridges/imports.ts';
import permits from '../../plugins/permits/server/index.ts';
import type { PermitsTables } from '../../plugins/permits/server/tables.ts';
import tourImports from '../../plugins/tour/server/bridges/imports.ts';

type Mode = 'UPSERT' | 'REPLACE';

const buildLocation = (uid: string, parent: string | null, locationType: LocationType): LocationRow => ({
  uid,
  parent,
  root: 'site',
  locationType,
  name: uid,
  label: '',
});
const siteRows = [
  buildLocation('site', null, 'PRIMARY_LOCATION'),
  buildLocation('unit', 'site', 'PLATFORM_UNIT'),
  buildLocation('lower', 'unit', 'LOC_LEVEL'),
];
/** A location has one tour. */
const buildTours = (code: string, location: 'unit' | 'lower') => ({
  tours: [{ code, name: `Tour ${code}`, location }],
});
const buildPermits = (number: string, tourCode: string) => ({
  permits: [
    {
      number,
      name: `Job ${number}`,
      type: 'general_permit',
      stage: 'ISSUE',
      validFrom: '2126-11-26T06:00:00Z',
      validTo: '2126-11-26T18:00:00Z',
      location: 'lower',
      tour: tourCode,
    },
  ],
});

describeOnDatabases('an import of permits that follows an import of a tour', (kind) => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [
        enabledPlugin(importsManifest, { endSessions: false }, imports),
        enabledPlugin(tourManifest, {}, tour),
        enabledPlugin(permitsManifest, {}, permits),
      ],
      bridges: [buildBridge('tour', 'imports', tourImports), buildBridge('permits', 'imports', permitsImports)],
    });
    await server.service(LocationStore).upsert(siteRows);
    token = await server.signIn({ flags: ['import', 'permitAccess'] });
  });
  afterAll(() => server.close());
  afterEach(async () => {
    await sql`truncate permits.permit, tour.tour, tour.code, imports.batch cascade`.execute(permitTables());
  });

  const permitTables = () => server.database.of<PermitsTables>('permits');
  const listTours = async () =>
    (await server.database.of<TourTables>('tour').selectFrom('tour').select('code').orderBy('code').execute()).map(
      ({ code }) => code,
    );
  const listPermits = async () =>
    (await permitTables().selectFrom('permit').select('number').orderBy('number').execute()).map(
      ({ number }) => number,
    );
  const waitForJob = async (uid: string) => {
    const { job } = (await server.call(getImport, { token, params: { batch: uid } })).body;
    if (job !== null) await server.service(Jobs).waitForCompletion(job);
    return (await server.call(getImport, { token, params: { batch: uid } })).body;
  };
  const begin = async (id: string, mode: Mode, content: object, follows?: string) => {
    const uid = randomUUID();
    const body = { uid, kind: id, site: 'site', mode, ...(follows === undefined ? {} : { follows }) };
    expect(await server.call(createImport, { token, body })).toMatchObject({ status: 201 });
    const form = new FormData();
    form.append('files', new Blob([JSON.stringify(content)]), 'rows.json');
    await fetch(`${await server.url()}/api/imports/${uid}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    return waitForJob(uid);
  };
  const apply = async (uid: string, remove = false) => {
    const { version } = await waitForJob(uid);
    const { status, refusal } = await server.call(applyImport, {
      token,
      params: { batch: uid },
      body: { version, remove, backup: false },
    });
    return status < 300 ? waitForJob(uid) : { status, refusal };
  };
  const readFollowing = async () =>
    (await server.call(listFollowingKinds, { token, params: { kind: 'tour.tags' }, query: { site: 'site' } })).body;

  it('[IMP-05] is optional, and is checked once the tour that its rows refer to exists', async () => {
    expect(await readFollowing()).toEqual([{ kind: 'permits.permits', hasRows: false }]);
    const { body: kinds } = await server.call(listImportKinds, { token });
    expect(kinds.find(({ id }) => id === 'permits.permits')).toMatchObject({ follows: 'tour.tags' });

    const followedImport = await begin('tour.tags', 'UPSERT', buildTours('T1', 'unit'));
    const follower = await begin('permits.permits', 'UPSERT', buildPermits('P-1', 'T1'), followedImport.uid);
    expect(follower).toMatchObject({ phase: 'WAITING', follows: followedImport.uid, job: null });
    expect(await apply(followedImport.uid)).toMatchObject({
      result: 'SUCCESS',
      followers: [{ uid: follower.uid, kind: 'permits.permits' }],
    });
    expect(await waitForJob(follower.uid)).toMatchObject({ phase: 'PREVIEW', findings: [] });
    expect(await apply(follower.uid)).toMatchObject({ result: 'SUCCESS' });
    expect([await listTours(), await listPermits()]).toEqual([['T1'], ['P-1']]);

    expect(await apply((await begin('tour.tags', 'UPSERT', buildTours('T2', 'lower'))).uid)).toMatchObject({
      result: 'SUCCESS',
    });
    expect(
      (await server.call(undoImport, { token, params: { batch: follower.uid }, body: { dryRun: false } })).body,
    ).toMatchObject({ reversed: 1 });
    expect([await listTours(), await listPermits()]).toEqual([['T1', 'T2'], []]);
  });

  it('[IMP-05] is required by an import that removes parts of a tour if the site has permits', async () => {
    await apply((await begin('tour.tags', 'UPSERT', buildTours('T1', 'unit'))).uid);
    const first = await begin('tour.tags', 'REPLACE', buildTours('T2', 'lower'));
    expect(await apply(first.uid, true)).toMatchObject({ result: 'SUCCESS' });
    await apply((await begin('permits.permits', 'UPSERT', buildPermits('P-1', 'T2'))).uid);
    expect(await readFollowing()).toEqual([{ kind: 'permits.permits', hasRows: true }]);

    const followedImport = await begin('tour.tags', 'REPLACE', buildTours('T3', 'unit'));
    expect(await apply(followedImport.uid, true)).toMatchObject({
      status: 409,
      refusal: { refusal: { message: 'imports.refused.followerNeeded', values: { sheet: 'Permits' } } },
    });
    expect(await listTours()).toEqual(['T2']);
    const follower = await begin('permits.permits', 'REPLACE', buildPermits('P-2', 'T3'), followedImport.uid);
    expect(await apply(followedImport.uid, true)).toMatchObject({ result: 'SUCCESS' });
    await waitForJob(follower.uid);
    expect(await apply(follower.uid, true)).toMatchObject({ result: 'SUCCESS' });
    expect([await listTours(), await listPermits()]).toEqual([['T3'], ['P-2']]);

    const tourImport = await begin('tour.tags', 'REPLACE', buildTours('T4', 'lower'));
    expect(await apply(tourImport.uid, false)).toMatchObject({ result: 'SUCCESS' });
    expect(await listTours()).toEqual(['T3', 'T4']);
  });

  it('[IMP-05] is not required of a pushed tour; a person without access to permits is told which right is missing', async () => {
    await apply((await begin('tour.tags', 'UPSERT', buildTours('T1', 'unit'))).uid);
    await apply((await begin('permits.permits', 'UPSERT', buildPermits('P-1', 'T1'))).uid);
    const fullToken = token;
    token = await server.signIn({ flags: ['import'] });
    const { uid } = await begin('tour.tags', 'REPLACE', buildTours('T2', 'lower'));
    expect(await apply(uid, true)).toMatchObject({
      status: 409,
      refusal: { refusal: { message: 'imports.refused.followerRight', values: { sheet: 'Permits' } } },
    });
    token = fullToken;
    const body = { uid: randomUUID(), kind: 'tour.tags', site: 'site', mode: 'REPLACE' as const, dryRun: false };
    const pushReply = await server.call(pushImport, {
      token,
      body: { ...body, sheets: buildTours('T3', 'unit') as never },
    });
    expect(pushReply.body.import).toMatchObject({ phase: 'DONE' });
    expect(await listTours()).toEqual(['T3']);
  });

  it('is cancelled with the import that it follows, follows none that has ended, and is not followed by a tour', async () => {
    const followedImport = await begin('tour.tags', 'UPSERT', buildTours('T1', 'unit'));
    const follower = await begin('permits.permits', 'UPSERT', buildPermits('P-1', 'T1'), followedImport.uid);
    await server.call(cancelImport, { token, params: { batch: followedImport.uid }, body: {} });
    expect(await waitForJob(follower.uid)).toMatchObject({ phase: 'CANCELLED' });

    const lateImport = { uid: randomUUID(), kind: 'permits.permits', site: 'site', mode: 'UPSERT' as const };
    expect(
      await server.call(createImport, { token, body: { ...lateImport, follows: followedImport.uid } }),
    ).toMatchObject({
      status: 409,
      refusal: { refusal: { message: 'imports.refused.followedEnded' } },
    });
    const otherImport = await begin('permits.permits', 'UPSERT', buildPermits('P-1', 'T1'));
    expect(
      await server.call(createImport, {
        token,
        body: { uid: randomUUID(), kind: 'tour.tags', site: 'site', mode: 'UPSERT', follows: otherImport.uid },
      }),
    ).toMatchObject({ status: 400, refusal: { refusal: { message: 'imports.refused.notFollowing' } } });
  });
});
