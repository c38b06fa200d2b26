import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ErrorBody, LocationRow, SettingsOf } from '#core';
import { enabledPlugin, LocationStore } from '#core/server';
import { describeAccess, describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import type { AnsweredForm } from '#plugins/feedback';
import { masters, mastersManifest, mastersSchema, type MastersTables } from '#plugins/masters/testing/server';
import { buildTourRow, insertTourRows, tour, tourManifest } from '#plugins/tour/testing/server';
import { answerTourForm, getTourForm } from '../contract/api.ts';
import manifest from '../plugin.ts';
import feedback from './index.ts';
import { feedbackSchema, type FeedbackTables } from './tables.ts';

type Settings = SettingsOf<typeof manifest>;
const shift = 28_800_000;
const withSettings = (changes: Partial<Settings> = {}) => [
  enabledPlugin(mastersManifest, {}, masters),
  enabledPlugin(tourManifest, {}, tour),
  enabledPlugin(manifest, { dropdowns: 2, ratings: true, validFor: shift, ...changes }, feedback),
];
const row = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType,
});
const toUid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [inspection, lifting, inactive] = [toUid(901), toUid(902), toUid(903)];
const answers = (changes: Partial<AnsweredForm> = {}): AnsweredForm => ({
  typeOfWork: inspection,
  activity: lifting,
  rating: 4,
  ...changes,
});

describeAccess('access to tour forms', withSettings());

describeOnDatabases('tour forms', (kind) => {
  const servers: TestServer[] = [];

  async function serve(settings: Partial<Settings> = {}) {
    const server = await startTestServer({ database: kind, plugins: withSettings(settings) });
    servers.push(server);
    await server
      .service(LocationStore)
      .upsert([
        row('site', null, 'PRIMARY_LOCATION'),
        row('unit', 'site', 'PLATFORM_UNIT'),
        row('lower', 'unit', 'LOC_LEVEL'),
        row('other', 'site', 'PLATFORM_UNIT'),
      ]);
    const { database } = server.server;
    await insertTourRows(database, { tours: [buildTourRow('T1'), buildTourRow('T2', { location: 'other' })] });
    const master = { french_name: null, active: true, position: 0, parent: null };
    await database
      .of<MastersTables>(mastersSchema)
      .insertInto('master')
      .values([
        { ...master, uid: inspection, type: 'TYPE_OF_WORK', name: 'Inspection' },
        { ...master, uid: lifting, type: 'ACTIVITY', name: 'Lifting' },
        { ...master, uid: inactive, type: 'ACTIVITY', name: 'Diving', active: false },
      ])
      .execute();
    const ask = async (token: string, location = 'unit') =>
      (await server.call(getTourForm, { params: { location }, token })).body;
    const answer = (token: string, uid: string, body: AnsweredForm, location = 'unit') =>
      server.call(answerTourForm, { params: { location, uid }, body, token });
    const savedForms = () =>
      database.of<FeedbackTables>(feedbackSchema).selectFrom('form').selectAll().orderBy('answered_at').execute();
    return { server, database, ask, answer, savedForms, ann: await server.signIn(), ben: await server.signIn() };
  }
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  let harness: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    harness = await serve();
  });

  it('offers the available questions and saves the answers with person, tour and time', async () => {
    const { ask, answer, savedForms, ann } = harness;
    expect(await ask(ann, 'lower')).toEqual({
      remaining: 0,
      questions: [
        { name: 'typeOfWork', choices: [{ uid: inspection, name: 'Inspection', frenchName: null }] },
        { name: 'activity', choices: [{ uid: lifting, name: 'Lifting', frenchName: null }] },
      ],
      ratings: true,
    });
    const before = Date.now();
    const { status, body } = await answer(ann, toUid(1), answers(), 'lower');
    expect(status).toBe(200);
    expect(body.remaining).toBeGreaterThan(shift - 60_000);
    expect(body.remaining).toBeLessThanOrEqual(shift);
    const [form] = await savedForms();
    expect(form).toMatchObject({
      uid: toUid(1),
      tour: 'tour-T1',
      location: 'lower',
      type_of_work: inspection,
      activity: lifting,
      rating: 4,
    });
    expect(form?.answered_at.getTime()).toBeGreaterThanOrEqual(before);
    expect(form!.valid_until.getTime() - form!.answered_at.getTime()).toBe(shift);
  });

  it('is valid for one person and one tour, from all locations of the tour', async () => {
    const { ask, ann, ben } = harness;
    expect((await ask(ann, 'unit')).remaining).toBeGreaterThan(0);
    expect((await ask(ann, 'other')).remaining).toBe(0);
    expect((await ask(ben, 'unit')).remaining).toBe(0);
  });

  it('asks again after the configured time', async () => {
    const { database, ask, ann } = harness;
    await database
      .of<{ form: { valid_until: Date } }>(feedbackSchema)
      .updateTable('form')
      .set({ valid_until: new Date(Date.now() - 1) })
      .execute();
    expect((await ask(ann)).remaining).toBe(0);
  });

  it("saves a form once if it is sent twice, even concurrently, and refuses the uid of another person's form", async () => {
    const { answer, savedForms, ann, ben } = harness;
    const sent = await Promise.all([answer(ben, toUid(2), answers()), answer(ben, toUid(2), answers())]);
    expect(sent.map(({ status }) => status)).toEqual([200, 200]);
    expect((await savedForms()).filter(({ uid }) => uid === toUid(2))).toHaveLength(1);
    expect((await answer(ann, toUid(2), answers())).status).toBe(404);
  });

  it.each([
    [{ typeOfWork: '' }, '/typeOfWork', 'core.validation.mandatory'],
    [{ activity: inactive }, '/activity', 'core.validation.choice'],
    [{ activity: inspection }, '/activity', 'core.validation.choice'],
  ])('refuses %j with an error for the field', async (changes, pointer, message) => {
    const { answer, ann } = harness;
    const refused = await answer(ann, toUid(3), answers(changes));
    expect(refused.status).toBe(400);
    expect((refused.body as unknown as ErrorBody).fields).toEqual([{ pointer, message }]);
  });

  it.each([[{ rating: 6 }], [{ rating: 0 }], [{ rating: 2.5 }]])('refuses %j', async (changes) => {
    expect((await harness.answer(harness.ann, toUid(4), answers(changes))).status).toBe(400);
  });

  it('returns 404 without a tour', async () => {
    const { server, ann } = harness;
    expect((await server.call(getTourForm, { params: { location: 'site' }, token: ann })).status).toBe(404);
  });

  it('[PRO-04] asks a single question without a rating, every time, if the profile says so', async () => {
    const { ask, answer, savedForms, ann } = await serve({ dropdowns: 1, ratings: false, validFor: 0 });
    expect(await ask(ann)).toMatchObject({ questions: [{ name: 'typeOfWork' }], ratings: false });
    expect((await answer(ann, toUid(5), answers())).status).toBe(400);
    expect((await answer(ann, toUid(5), answers({ activity: '' }))).status).toBe(400);
    expect((await answer(ann, toUid(5), answers({ activity: '', rating: null }))).body).toEqual({ remaining: 0 });
    expect(await savedForms()).toMatchObject([{ type_of_work: inspection, activity: null, rating: null }]);
    expect((await ask(ann)).remaining).toBe(0);
  });

  it('asks no questions without choices', async () => {
    const { database, ask, ann } = await serve();
    await database.of<MastersTables>(mastersSchema).updateTable('master_type').set({ active: false }).execute();
    expect((await ask(ann)).questions).toEqual([]);
  });
});
