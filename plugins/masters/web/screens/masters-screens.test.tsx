import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildMe, FakeServer, pretendSize, renderApp, renderScreen, type FakeReply } from '#core/testing/web';
import { buildKind, importsPlugin } from '#plugins/imports/testing/web';
import { masterTypes } from '#plugins/masters';
import type { MasterData, MasterDetails, MasterTypeDetails } from '../../contract/api/master-data.ts';
import masters from '../index.ts';
import MasterListScreen from './master-list-screen.tsx';
import MasterScreen from './master-screen.tsx';
import MasterTypeListScreen from './master-type-list-screen.tsx';

const plugins = [{ id: 'masters', settings: {}, web: masters, bridges: [] }];
const buildMaster = (name: string, changes: Partial<MasterData> = {}): MasterData => ({
  uid: `uid-${name}`,
  type: 'ACTIVITY',
  name,
  frenchName: null,
  active: true,
  sequence: 0,
  parent: null,
  version: 3,
  ...changes,
});
const toDetails = (master: MasterData, changes: Partial<MasterDetails> = {}): MasterDetails => ({
  ...master,
  typeActive: true,
  uses: [],
  ...changes,
});
const buildType = (changes: Partial<MasterTypeDetails> = {}): MasterTypeDetails => ({
  code: 'ACTIVITY',
  active: true,
  masters: 3,
  activeMasters: 2,
  formerlyActive: 0,
  version: 4,
  ...changes,
});
const changeReply: FakeReply = { status: 200, body: { change: 'c1' } };
const buildConflict = (current: object): FakeReply => ({
  status: 409,
  body: { code: 'E007', message: 'Changed.', reference: 'r1', current },
});

const buildServer = (rows: readonly MasterData[], types: readonly MasterTypeDetails[] = [buildType()]) =>
  new FakeServer()
    .on('GET /api/master-data', { status: 200, body: { total: rows.length, offset: 0, rows: [...rows] } })
    .on('GET /api/master-types', { status: 200, body: [...types] })
    .on('GET /api/masters/types', {
      status: 200,
      body: masterTypes.map((code) => ({ code, active: types.find((type) => type.code === code)?.active ?? true })),
    })
    .on('GET /api/master-data/:master', ({ path }) => ({
      status: 200,
      body: toDetails(
        rows.find(({ uid }) => path.endsWith(encodeURIComponent(uid)))!,
        {
          uses: [{ message: 'masters.use.children', count: 2 }],
        },
      ),
    }))
    .on('POST /api/changes/:change/undo', { status: 200, body: { change: 'c2' } });

describe('screens of masters', () => {
  let restoreSize: () => void;
  beforeEach(() => {
    restoreSize = pretendSize(1200, 600);
  });
  afterEach(() => restoreSize());
  const me = buildMe({ isAdmin: true, access: { flags: ['configure'], locations: 'ALL', deactivatedRoles: [] } });

  it.each([
    ['[RTE-12:master-type]', 'master-type', 'Master types'],
    ['[RTE-12:manage-master-type]', 'manage/master-type?type=ACTIVITY', 'Master type'],
    ['[RTE-12:master-data]', 'master-data', 'Master data'],
    ['[RTE-12:manage-master-data]', 'manage/master-data?type=SECTION', 'New master'],
  ])('%s opens %s', async (_, path, heading) => {
    await renderApp({ plugins, server: buildServer([]), url: `/admin/console/${path}`, me });
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeDefined();
  });

  it('[RTE-13:masters] opens the import of masters at its own URL', async () => {
    const kinds = [buildKind(), buildKind({ id: 'masters.masters', title: { en: 'Static masters', fr: 'Données' } })];
    await renderApp({
      plugins: [...plugins, importsPlugin],
      server: buildServer([])
        .on('GET /api/imports/kinds', { status: 200, body: kinds })
        .on('GET /api/locations', { status: 200, body: [] }),
      url: '/admin/console/import-master',
      me: buildMe({ isAdmin: true }),
    });
    expect(await screen.findByRole('heading', { name: 'Import: Static masters' })).toBeDefined();
  });

  it('[ACC-02:configure] shows no masters without the flag', async () => {
    const server = buildServer([]);
    const noAccess = { flags: [], locations: 'ALL' as const, deactivatedRoles: [] };
    for (const path of ['master-type', 'master-data'])
      await renderApp({
        plugins,
        server,
        url: `/admin/console/${path}`,
        me: buildMe({ isAdmin: true, access: noAccess }),
      });
    expect(server.sentTo('GET /api/master-types')).toEqual([]);
    expect(server.sentTo('GET /api/master-data')).toEqual([]);
  });

  it('[ADM-07] says how many masters change with their type, and restores their states', async () => {
    const inactiveType = buildType({ active: false, activeMasters: 0, formerlyActive: 2, version: 5 });
    const server = buildServer([]).on('PUT /api/master-types/:type', () => {
      server.on('GET /api/master-types', { status: 200, body: [inactiveType] });
      return changeReply;
    });
    const { user } = await renderScreen(<MasterTypeListScreen />, { plugins, server, me });
    await user.click(await screen.findByRole('button', { name: 'Deactivate Activity' }));
    const question = within(await screen.findByRole('alertdialog'));
    expect(question.getByText(/^Its 2 active masters become inactive\./)).toBeDefined();
    await user.click(question.getByRole('button', { name: 'Deactivate' }));
    await user.click(await screen.findByRole('button', { name: 'Activate Activity' }));
    const choice = within(await screen.findByRole('alertdialog'));
    expect(choice.getByRole('radio', { name: 'Activate all 3 masters' })).toHaveProperty('checked', true);
    await user.click(choice.getByRole('radio', { name: 'Restore previous states: 2 active, 1 inactive' }));
    await user.click(choice.getByRole('button', { name: 'Activate' }));
    await waitFor(() =>
      expect(server.sentTo('PUT /api/master-types/:type').map(({ body }) => body)).toEqual([
        { active: false, restore: false, version: 4 },
        { active: true, restore: true, version: 5 },
      ]),
    );
  });

  it('[ADM-06] lists masters by type, text and status, and deactivates one after showing what refers to it', async () => {
    const lifting = buildMaster('Lifting', { frenchName: 'Levage', parent: { uid: 'p', name: 'Cranes' } });
    const server = buildServer([lifting, buildMaster('Diving', { active: false, sequence: 123_456 })]);
    let attempts = 0;
    server.on('PUT /api/master-data/:master', () =>
      (attempts += 1) === 1 ? buildConflict({ ...lifting, name: 'Hoisting', version: 9 }) : changeReply,
    );
    const { user } = await renderScreen(<MasterListScreen />, {
      plugins,
      server,
      me,
      url: '/admin/console/master-data?type=ACTIVITY',
    });
    const [, first, second] = await screen.findAllByRole('row');
    expect(first!.textContent).toMatch(/LiftingLevage.*ActivityCranes.*0.*Active/);
    expect(second!.textContent).toMatch(/1,23,456.*Inactive/);
    const types = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Type' });
    expect([...types.options].map(({ text }) => text)).toEqual([
      'All types',
      'Type of work',
      'Activity',
      'User type',
      'Section',
      'Department',
      'Division',
      'Business unit',
    ]);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Inactive');
    await user.click(screen.getByRole('button', { name: /^Sequence/ }));
    await waitFor(() =>
      expect(Object.fromEntries(server.sentTo('GET /api/master-data').at(-1)!.query)).toMatchObject({
        type: 'ACTIVITY',
        status: 'INACTIVE',
        sort: 'sequence',
      }),
    );
    await user.click(screen.getByRole('button', { name: 'Deactivate Lifting' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(await dialog.findByText('2 masters below it')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Deactivate' }));
    // Somebody else has changed it: the next attempt keeps their values.
    await dialog.findByText(/^Someone else has changed this/);
    await user.click(dialog.getByRole('button', { name: 'Deactivate' }));
    await screen.findAllByText(/Hoisting was deactivated\./);
    expect(server.sentTo('PUT /api/master-data/:master').at(-1)!.body).toEqual({
      name: 'Hoisting',
      frenchName: 'Levage',
      sequence: 0,
      parent: 'p',
      active: false,
      version: 9,
    });
    await user.click(screen.getAllByRole('button', { name: 'Undo' })[0]!);
    await waitFor(() => expect(server.sentTo('POST /api/changes/:change/undo')).toHaveLength(1));
  });

  it('[ADM-07] does not activate a master of an inactive type', async () => {
    const diving = buildMaster('Diving', { active: false });
    const server = buildServer([diving]).on('GET /api/master-data/:master', {
      status: 200,
      body: toDetails(diving, { typeActive: false }),
    });
    const { user } = await renderScreen(<MasterListScreen />, { plugins, server, me });
    await user.click(await screen.findByRole('button', { name: 'Activate Diving' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(await dialog.findByText(/^The type is inactive/)).toBeDefined();
    expect(dialog.getByRole('button', { name: 'Activate' })).toHaveProperty('disabled', true);
  });

  it('creates masters one after another, and keeps the input of a refused master', async () => {
    const server = buildServer([buildMaster('North', { type: 'DEPARTMENT' })]);
    let attempts = 0;
    server.on('POST /api/master-data', () => {
      attempts += 1;
      if (attempts > 1) return { status: 201, body: { change: 'c1' } };
      const field = { pointer: '/name', message: 'core.validation.duplicate', values: { value: 'Crew' } };
      return { status: 409, body: { code: 'E007', message: 'Taken.', reference: 'r', fields: [field] } };
    });
    const { user } = await renderScreen(<MasterScreen />, {
      plugins,
      server,
      me,
      url: '/admin/console/manage/master-data?type=SECTION',
    });
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await user.click(screen.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('This is Mandatory')).toBeDefined();
    await user.type(name, 'Crew');
    await user.click(screen.getByRole('combobox', { name: 'Parent (Department)' }));
    await user.click(await screen.findByRole('option', { name: 'North' }));
    await user.click(screen.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('Duplicate value Crew found')).toBeDefined();
    expect(name).toHaveProperty('value', 'Crew');
    await user.click(screen.getByRole('button', { name: 'Create' }));
    expect((await screen.findAllByText(/Crew was created\./)).length).toBeGreaterThan(0);
    const [first, second] = server.sentTo('POST /api/master-data').map(({ body }) => body as { uid: string });
    expect(second).toEqual(first);
    expect(second).toMatchObject({ type: 'SECTION', name: 'Crew', parent: 'uid-North', sequence: 0, active: true });
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', ''));
  });

  it('shows the changes of another person after a conflict, in French', async () => {
    const lifting = buildMaster('Lifting');
    const server = buildServer([lifting]);
    let attempts = 0;
    server.on('PUT /api/master-data/:master', () =>
      (attempts += 1) === 1 ? buildConflict({ ...lifting, sequence: 7, version: 8 }) : changeReply,
    );
    const { user } = await renderScreen(<MasterScreen />, {
      plugins,
      server,
      me,
      language: 'fr',
      url: `/admin/console/manage/master-data?master=${lifting.uid}`,
    });
    await user.type(await screen.findByRole('textbox', { name: 'Nom français' }), 'Levage');
    await user.click(screen.getByRole('button', { name: 'Enregistrer' }));
    expect(await screen.findByText('Ordre : 7')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Enregistrer ma version' }));
    expect((await screen.findAllByText(/Lifting : modifié\./)).length).toBeGreaterThan(0);
    expect(server.sentTo('PUT /api/master-data/:master').at(-1)!.body).toMatchObject({
      frenchName: 'Levage',
      version: 8,
    });
  });
});
