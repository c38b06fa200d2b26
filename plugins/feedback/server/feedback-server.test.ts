import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ErrorBody, LocationRow, SettingsOf } from '#core';
import { enabledPlugin, LocationStore } from '#core/server';
import { describeAccess, describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import type { TourFormAnswers } from '#plugins/feedback';
import { masters, mastersManifest, mastersSchema, type MastersTables } from '#plugins/masters/testing/server';
import { getMasterData } from '#plugins/masters/api';
import { buildTourRow, insertTourRows, tour, tourManifest } from '#plugins/tour/testing/server';
import { answerTourForm, getTourForm, rateTour } from '../contract/api.ts';
import manifest from '../plugin.ts';
import feedback from './index.ts';
import { feedbackSchema, type FeedbackTables } from './tables.ts';

type Settings = SettingsOf<typeof manifest>;
const eightHours = 28_800_000;
const buildPlugins = (changes: Partial<Settings> = {}) => [
  enabledPlugin(mastersManifest, {}, masters),
  enabledPlugin(tourManifest, {}, tour),
  enabledPlugin(manifest, { dropdowns: 2, ratings: true, validFor: eightHours, ...changes }, feedback),
];
const buildLocation = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType,
});
const toUid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [inspection, lifting, inactive] = [toUid(901), toUid(902), toUid(903)];
const buildAnswers = (changes: Partial<TourFormAnswers> = {}): TourFormAnswers => ({
  typeOfWork: inspection,
  activity: lifting,
  ...changes,
});

describeAccess('access to tour forms', buildPlugins());

describeOnDatabases('tour forms', (kind) => {
  const servers: TestServer[] = [];

  async function setup(settings: Partial<Settings> = {}) {
    const server = await startTestServer({ database: kind, plugins: buildPlugins(settings) });
    servers.push(server);
    await server
      .service(LocationStore)
      .upsert([
        buildLocation('site', null, 'PRIMARY_LOCATION'),
        buildLocation('unit', 'site', 'PLATFORM_UNIT'),
        buildLocation('lower', 'unit', 'LOC_LEVEL'),
        buildLocation('other', 'site', 'PLATFORM_UNIT'),
      ]);
    const { database } = server;
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
    const loadForm = async (token: string, location = 'unit') =>
      (await server.call(getTourForm, { params: { location }, token })).body;
    const sendAnswers = (token: string, uid: string, body: TourFormAnswers, location = 'unit') =>
      server.call(answerTourForm, { params: { location, uid }, body, token });
    const sendRating = (token: string, uid: string, rating: number | null, location = 'unit') =>
      server.call(rateTour, { params: { location, uid }, body: { rating }, token });
    const loadSavedForms = () =>
      database.of<FeedbackTables>(feedbackSchema).selectFrom('form').selectAll().orderBy('answered_at').execute();
    return {
      server,
      database,
      loadForm,
      sendAnswers,
      sendRating,
      loadSavedForms,
      ann: await server.signIn(),
      ben: await server.signIn(),
    };
  }
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  let harness: Awaited<ReturnType<typeof setup>>;
  beforeAll(async () => {
    harness = await setup();
  });

  it('[TOUR-16] offers the type of work and the activity without a rating, and saves the answers with person, tour and time', async () => {
    const { loadForm, sendAnswers, loadSavedForms, ann } = harness;
    expect(await loadForm(ann, 'lower')).toEqual({
      remaining: 0,
      questions: [
        { name: 'typeOfWork', choices: [{ uid: inspection, name: 'Inspection', frenchName: null }] },
        { name: 'activity', choices: [{ uid: lifting, name: 'Lifting', frenchName: null }] },
      ],
      unratedForm: null,
    });
    const before = Date.now();
    const { status, body } = await sendAnswers(ann, toUid(1), buildAnswers(), 'lower');
    expect(status).toBe(200);
    expect(body.remaining).toBeGreaterThan(eightHours - 60_000);
    expect(body.remaining).toBeLessThanOrEqual(eightHours);
    const [form] = await loadSavedForms();
    expect(form).toMatchObject({
      uid: toUid(1),
      tour: 'tour-T1',
      location: 'lower',
      type_of_work: inspection,
      activity: lifting,
      rating: null,
      rated_at: null,
    });
    expect(form?.answered_at.getTime()).toBeGreaterThanOrEqual(before);
    expect(form!.valid_until.getTime() - form!.answered_at.getTime()).toBe(eightHours);
    const admin = await harness.server.signIn({ flags: ['configure'] });
    const master = await harness.server.call(getMasterData, { token: admin, params: { master: lifting } });
    expect(master.body.uses).toEqual([{ message: 'feedback.contents.forms', count: 1 }]);
  });

  it('[TOUR-16] accepts the answer of one person at all locations of one tour', async () => {
    const { loadForm, ann, ben } = harness;
    expect((await loadForm(ann, 'unit')).remaining).toBeGreaterThan(0);
    expect((await loadForm(ann, 'other')).remaining).toBe(0);
    expect((await loadForm(ben, 'unit')).remaining).toBe(0);
  });

  it('[TOUR-16] requires a new answer after the configured time', async () => {
    const { database, loadForm, ann } = harness;
    await database
      .of<{ form: { valid_until: Date } }>(feedbackSchema)
      .updateTable('form')
      .set({ valid_until: new Date(Date.now() - 1) })
      .execute();
    expect((await loadForm(ann)).remaining).toBe(0);
  });

  it("saves a form once if it is sent twice, even concurrently, and refuses the uid of another person's form", async () => {
    const { sendAnswers, loadSavedForms, ann, ben } = harness;
    const replies = await Promise.all([
      sendAnswers(ben, toUid(2), buildAnswers()),
      sendAnswers(ben, toUid(2), buildAnswers()),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect((await loadSavedForms()).filter(({ uid }) => uid === toUid(2))).toHaveLength(1);
    expect((await sendAnswers(ann, toUid(2), buildAnswers())).status).toBe(404);
  });

  it.each([
    [{ typeOfWork: '' }, '/typeOfWork', 'core.validation.mandatory'],
    [{ activity: inactive }, '/activity', 'core.validation.choice'],
    [{ activity: inspection }, '/activity', 'core.validation.choice'],
  ])('refuses the answer %j with a field error', async (changes, pointer, message) => {
    const { sendAnswers, ann } = harness;
    const reply = await sendAnswers(ann, toUid(3), buildAnswers(changes));
    expect(reply.status).toBe(400);
    expect((reply.body as unknown as ErrorBody).fields).toEqual([{ pointer, message }]);
  });

  it('[TOUR-16] saves the rating with the form of the last visit, and asks for it until it is given or skipped', async () => {
    const { sendAnswers, sendRating, loadForm, loadSavedForms } = harness;
    const token = await harness.server.signIn();
    const findForm = async (uid: string) => (await loadSavedForms()).find((form) => form.uid === uid);
    await sendAnswers(token, toUid(11), buildAnswers());
    expect((await loadForm(token)).unratedForm).toBe(toUid(11));
    expect((await loadForm(token, 'other')).unratedForm).toBeNull();
    expect((await sendRating(token, toUid(11), 4, 'lower')).status).toBe(200);
    expect(await findForm(toUid(11))).toMatchObject({ rating: 4, rated_at: expect.any(Date) as unknown });
    expect((await loadForm(token)).unratedForm).toBeNull();
    await sendAnswers(token, toUid(12), buildAnswers());
    expect((await loadForm(token)).unratedForm).toBe(toUid(12));
    await sendRating(token, toUid(12), null);
    expect((await loadForm(token)).unratedForm).toBeNull();
    expect(await findForm(toUid(12))).toMatchObject({ rating: null });
    expect(await findForm(toUid(11))).toMatchObject({ rating: 4 });
  });

  it('refuses a rating for the form of another person or tour', async () => {
    const { sendAnswers, sendRating, ann, ben } = harness;
    await sendAnswers(ann, toUid(13), buildAnswers());
    expect((await sendRating(ben, toUid(13), 1)).status).toBe(404);
    expect((await sendRating(ann, toUid(13), 1, 'other')).status).toBe(404);
    expect((await sendRating(ann, toUid(14), 1)).status).toBe(404);
  });

  it.each([6, 0, 2.5])('refuses the invalid rating %d', async (rating) => {
    const { sendAnswers, sendRating, ann } = harness;
    await sendAnswers(ann, toUid(15), buildAnswers());
    expect((await sendRating(ann, toUid(15), rating)).status).toBe(400);
  });

  it('returns 404 for a location without a tour', async () => {
    const { server, ann } = harness;
    expect((await server.call(getTourForm, { params: { location: 'site' }, token: ann })).status).toBe(404);
  });

  it('[PRO-04] [TOUR-16] asks one question and for no rating, and accepts no answer for later visits, if the profile says so', async () => {
    const { loadForm, sendAnswers, sendRating, loadSavedForms, ann } = await setup({
      dropdowns: 1,
      ratings: false,
      validFor: 0,
    });
    expect(await loadForm(ann)).toMatchObject({ questions: [{ name: 'typeOfWork' }] });
    expect((await sendAnswers(ann, toUid(5), buildAnswers())).status).toBe(400);
    expect((await sendAnswers(ann, toUid(5), buildAnswers({ activity: '' }))).body).toEqual({ remaining: 0 });
    expect((await sendRating(ann, toUid(5), 4)).status).toBe(400);
    expect(await loadSavedForms()).toMatchObject([{ type_of_work: inspection, activity: null, rating: null }]);
    expect(await loadForm(ann)).toMatchObject({ remaining: 0, unratedForm: null });
  });

  it('omits questions without choices', async () => {
    const { database, loadForm, ann } = await setup();
    await database.of<MastersTables>(mastersSchema).updateTable('master_type').set({ active: false }).execute();
    expect((await loadForm(ann)).questions).toEqual([]);
  });
});
