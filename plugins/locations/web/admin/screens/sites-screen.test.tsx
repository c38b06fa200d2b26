import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSiteRecord, type LocationRow, type LocationType, type SiteRecord } from '#core';
import {
  buildMe,
  buildSite,
  ConnectionLostError,
  FakeServer,
  pretendSize,
  renderApp,
  renderScreen,
  type FakeReply,
  type WebSetup,
} from '#core/testing/web';
import { Locations, UnsavedWork, type InstalledPlugin } from '#core/web';
import locations from '../../index.ts';
import HomeScreen from '../../screens/home-screen.tsx';
import SitesScreen from './sites-screen.tsx';

const buildRow = (uid: string, name: string, parent: string, locationType: LocationType, label = ''): LocationRow => ({
  uid,
  name,
  label,
  parent,
  root: 'HB',
  locationType,
  version: 3,
});
const rows: readonly LocationRow[] = [
  { ...buildSite('HB', { timeZone: 'Europe/Oslo' }), name: 'Heron Bay', label: '' },
  buildRow('HB-M10', 'Module M10', 'HB', 'PLATFORM_UNIT', 'Process'),
  buildRow('HB-M10-CD', 'Cellar deck', 'HB-M10', 'LOC_LEVEL', 'EL 12.5'),
  buildRow('HB-M10-MD', 'Main deck', 'HB-M10', 'LOC_LEVEL'),
  buildRow('HB-M20', 'Module M20', 'HB', 'PLATFORM_UNIT'),
  { ...buildSite('KES'), name: 'Kestrel', label: '' },
];
const plugins: readonly InstalledPlugin[] = [
  { id: 'locations', settings: { alphabetical: false }, web: locations, bridges: [] },
];
const changeReply: FakeReply = { status: 200, body: { change: 'c1' } };

/** A server with a list of locations that a test can replace. */
function buildServer(list: readonly LocationRow[] = rows) {
  const state = { list };
  const server = new FakeServer()
    .on('GET /api/locations', () => ({ status: 200, body: state.list }))
    .on('GET /api/location-pictures', { status: 200, body: [] });
  return { server, state };
}

const setup = (setupOptions: WebSetup = {}) =>
  renderScreen(<SitesScreen />, {
    plugins,
    server: buildServer().server,
    url: '/admin/console/sites',
    ...setupOptions,
  });
const findItem = (name: string) => screen.findByRole('treeitem', { name: new RegExp(`^${name}`) });
const listNames = () => screen.getAllByRole('treeitem').map((item) => item.getAttribute('aria-label')?.split(',')[0]);
const urlOf = (uid: string) => `/admin/console/sites?location=${uid}`;
const refuse = (status: number, code: string, body: object = {}): FakeReply => ({
  status,
  body: { code, message: 'Refused.', reference: 'r1', ...body },
});

let restoreSize: () => void;
beforeEach(() => {
  restoreSize = pretendSize(800, 600);
});
afterEach(() => restoreSize());

describe('tree of locations', () => {
  it('opens and closes by keyboard, and keeps the selection in the URL', async () => {
    const { user } = await setup();
    const site = await findItem('Heron Bay');
    expect(listNames()).toEqual(['Heron Bay', 'Kestrel']);
    expect(site.getAttribute('aria-label')).toBe('Heron Bay, HB, Site');
    act(() => site.focus());
    await user.keyboard('{ArrowRight}');
    expect(listNames()).toEqual(['Heron Bay', 'Module M10', 'Module M20', 'Kestrel']);
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Cellar deck, EL 12.5, HB-M10-CD, Level');
    expect(document.activeElement?.getAttribute('aria-level')).toBe('3');
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('heading', { level: 2, name: 'Cellar deck' })).toBeDefined();
    expect(window.location.search).toBe('?location=HB-M10-CD');
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(listNames()).toEqual(['Heron Bay', 'Module M10', 'Module M20', 'Kestrel']);
    await user.keyboard('module m2');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Module M20, HB-M20, Unit');
    expect(window.location.search).toBe('?location=HB-M10-CD');
  });

  it('shows the location of the URL with its ancestors', async () => {
    await setup({ url: urlOf('HB-M10-MD') });
    expect((await findItem('Main deck')).getAttribute('aria-selected')).toBe('true');
    expect(screen.getByText('Heron Bay › Module M10')).toBeDefined();
  });

  it('finds locations by name, label or code, with their ancestors', async () => {
    const { user } = await setup();
    await user.type(await screen.findByRole('searchbox'), 'el 12');
    await waitFor(() => expect(listNames()).toEqual(['Heron Bay', 'Module M10', 'Cellar deck']));
    expect(screen.getByText('1 location found')).toBeDefined();
    expect(window.location.search).toBe('?search=el+12');
    await user.clear(screen.getByRole('searchbox'));
    await user.type(screen.getByRole('searchbox'), 'hb-m20');
    await waitFor(() => expect(listNames()).toEqual(['Heron Bay', 'Module M20']));
    await user.type(screen.getByRole('searchbox'), 'x');
    expect(await screen.findByText('No name, label or code contains “hb-m20x”.')).toBeDefined();
  });

  it('renders only the visible rows of 10,000 locations', async () => {
    const units = Array.from({ length: 10_000 }, (_, index) =>
      buildRow(`HB-${index}`, `Unit ${index}`, 'HB', 'PLATFORM_UNIT'),
    );
    const { user } = await setup({ server: buildServer([rows[0]!, ...units]).server });
    const site = await findItem('Heron Bay');
    expect(screen.getAllByRole('treeitem').length).toBeLessThan(60);
    act(() => site.focus());
    await user.keyboard('{End}');
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-posinset')).toBe('10000'));
    expect(screen.getAllByRole('treeitem').length).toBeLessThan(60);
  });

  it('offers to add the first site if there is none, and to try again after a failure', async () => {
    const { server } = buildServer([]);
    const firstRender = await setup({ server });
    await firstRender.user.click(await screen.findByRole('button', { name: 'Add the first site' }));
    expect(await screen.findByRole('dialog', { name: 'Add a site' })).toBeDefined();
    firstRender.unmount();
    await setup({ server: new FakeServer().on('GET /api/locations', { status: 500 }) });
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeDefined();
  });

  it('offers changes only at and below the locations of the roles', async () => {
    const me = buildMe({ access: { flags: ['configure'], locations: ['HB-M10'], deactivatedRoles: [] } });
    const { user } = await setup({ me, url: urlOf('HB') });
    expect(await screen.findByText(/Your roles do not allow you to change this location/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Add site' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
    act(() => screen.getByRole('treeitem', { name: /^Heron Bay/ }).focus());
    await user.keyboard('{ArrowRight}{ArrowRight}{Enter}');
    expect(await screen.findByRole('button', { name: 'Delete' })).toBeDefined();
  });
});

describe('changes of locations', () => {
  it('[DAT-01] creates a location with the proposed code, and undoes it', async () => {
    const { server, state } = buildServer();
    const createdRow = buildRow('HB-M10-WD', 'Weather deck', 'HB-M10', 'LOC_LEVEL');
    server
      .on('POST /api/locations', () => {
        state.list = [...rows, createdRow];
        return { status: 201, body: { change: 'c1' } };
      })
      .on('POST /api/changes/:change/undo', ({ path }) => {
        state.list = path.includes('c1') ? rows : [...rows, createdRow];
        return { status: 200, body: { change: 'c2' } };
      });
    const { user } = await setup({ server, url: urlOf('HB-M10') });
    await user.click(await screen.findByRole('button', { name: 'Add below' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add below Module M10' });
    expect(
      within(dialog)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Level', 'Group']);
    await user.type(within(dialog).getByRole('textbox', { name: /^Name/ }), 'Weather deck');
    expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: /^Code/ }).value).toBe('HB-M10-WD');
    expect(within(dialog).getByText(/The code never changes after creation/)).toBeDefined();
    await user.click(within(dialog).getByRole('button', { name: 'Create' }));
    expect(await findItem('Weather deck')).toBeDefined();
    expect(server.sentTo('POST /api/locations')[0]?.body).toEqual({
      uid: 'HB-M10-WD',
      name: 'Weather deck',
      label: '',
      locationType: 'LOC_LEVEL',
      parent: 'HB-M10',
    });
    expect(window.location.search).toBe('?location=HB-M10-WD');
    const line = (await screen.findByText('Last change: Weather deck was created')).parentElement!;
    await user.click(within(line).getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Last change: The creation of Weather deck was undone')).toBeDefined();
    expect(server.sentTo('POST /api/changes/c1/undo')).toHaveLength(1);
    expect(screen.queryByRole('treeitem', { name: /^Weather deck/ })).toBeNull();
    await user.click(within(line).getByRole('button', { name: 'Redo' }));
    expect(await findItem('Weather deck')).toBeDefined();
  });

  it('keeps the typed values if the code is taken or the connection is lost', async () => {
    const { server, state } = buildServer();
    server.on('POST /api/locations', () => {
      throw new ConnectionLostError();
    });
    const { user } = await setup({ server, url: '/admin/console/sites?add=site' });
    const dialog = await screen.findByRole('dialog', { name: 'Add a site' });
    const code = within(dialog).getByRole<HTMLInputElement>('textbox', { name: /^Code/ });
    await user.type(within(dialog).getByRole('textbox', { name: /^Name/ }), 'Kestrel');
    expect(code.value).toBe('KES-2');
    await user.clear(code);
    await user.type(code, 'kes');
    await user.click(within(dialog).getByRole('button', { name: 'Create' }));
    expect(await within(dialog).findByText('Duplicate value kes found')).toBeDefined();
    await user.clear(code);
    await user.type(code, 'OSP');
    await user.click(within(dialog).getByRole('button', { name: 'Create' }));
    expect(await within(dialog).findByText(/could not be reached|offline|connection/i)).toBeDefined();
    server.on(
      'POST /api/locations',
      refuse(409, 'E007', {
        fields: [{ pointer: '/uid', message: 'core.validation.duplicate', values: { value: 'OSP' } }],
      }),
    );
    await user.click(within(dialog).getByRole('button', { name: 'Create' }));
    expect(await within(dialog).findByText('Duplicate value OSP found')).toBeDefined();
    expect(code.value).toBe('OSP');
    server.on('POST /api/locations', () => {
      state.list = [...rows, { ...buildSite('OSP'), name: 'Kestrel', label: '' }];
      return { status: 201, body: { change: 'c1' } };
    });
    await user.click(within(dialog).getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(window.location.search).toBe('?location=OSP'));
    expect(screen.queryByRole('dialog', { name: 'Add a site' })).toBeNull();
  });

  it('repeats a creation whose reply was lost', async () => {
    const { server, state } = buildServer();
    server.on('POST /api/locations', () => {
      state.list = [...rows, { ...buildSite('OSP'), name: 'Osprey', label: '' }];
      throw new ConnectionLostError();
    });
    const { user, core } = await setup({ server, url: '/admin/console/sites?add=site' });
    const dialog = await screen.findByRole('dialog', { name: 'Add a site' });
    await user.type(within(dialog).getByRole('textbox', { name: /^Name/ }), 'Osprey');
    await user.click(within(dialog).getByRole('button', { name: 'Create' }));
    expect(await within(dialog).findByText(/could not be reached|offline|connection/i)).toBeDefined();
    await act(() => core.host.root.get(Locations).reload());
    server.on('POST /api/locations', { status: 201, body: { change: 'c1' } });
    await user.click(within(dialog).getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(window.location.search).toBe('?location=OSP'));
    const [first, second] = server.sentTo('POST /api/locations').map(({ body }) => body);
    expect(second).toEqual(first);
  });

  it('[DAT-01] edits a location, also after a conflict with another person', async () => {
    const { server } = buildServer();
    const theirRow = { ...rows[1], label: 'Compression', version: 4 };
    server.on('PUT /api/locations/:location', refuse(409, 'E007', { current: theirRow }));
    const { user } = await setup({ server, url: urlOf('HB-M10') });
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    const dialog = await screen.findByRole('dialog', { name: 'Edit Module M10' });
    const name = within(dialog).getByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    await user.clear(name);
    await user.type(name, 'Module 10');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await within(dialog).findByText('Label: Compression')).toBeDefined();
    expect(within(dialog).getByText('Name: Module M10')).toBeDefined();
    expect(name.value).toBe('Module 10');
    server.on('PUT /api/locations/:location', changeReply);
    await user.click(within(dialog).getByRole('button', { name: 'Save my version' }));
    expect(await screen.findByText('Last change: Module 10 was changed')).toBeDefined();
    expect(server.sentTo('PUT /api/locations/HB-M10').map(({ body }) => body)).toEqual([
      { name: 'Module 10', label: 'Process', locationType: 'PLATFORM_UNIT', version: 3 },
      { name: 'Module 10', label: 'Process', locationType: 'PLATFORM_UNIT', version: 4 },
    ]);
  });

  it.each([
    ['Edit', 'Save'],
    ['Move', 'Move'],
  ])('sends nothing if nothing was changed: %s', async (action, confirm) => {
    const { server } = buildServer();
    const { user } = await setup({ server, url: urlOf('HB-M10') });
    await user.click(await screen.findByRole('button', { name: action }));
    const dialog = await screen.findByRole('dialog');
    if (action === 'Edit') await user.type(within(dialog).getByRole('textbox', { name: /^Name/ }), ' ');
    await user.click(within(dialog).getByRole('button', { name: confirm }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(screen.queryByText(/^Last change/)).toBeNull();
  });

  it('[DAT-01] moves a location by the dialog and by one step', async () => {
    const { server } = buildServer();
    server.on('PUT /api/locations/:location/place', changeReply);
    const { user } = await setup({ server, url: urlOf('HB-M10-CD') });
    await user.click(await screen.findByRole('button', { name: 'Move' }));
    const dialog = await screen.findByRole('dialog', { name: 'Move Cellar deck' });
    expect(
      within(dialog)
        .getByRole('treeitem', { name: /^Heron Bay/ })
        .getAttribute('aria-disabled'),
    ).toBe('true');
    expect(within(dialog).queryByRole('treeitem', { name: /^Kestrel/ })).toBeNull();
    await user.click(within(dialog).getByRole('treeitem', { name: /^Module M20/ }));
    await user.click(within(dialog).getByRole('button', { name: 'Move' }));
    expect(await screen.findByText('Last change: Cellar deck was moved')).toBeDefined();
    await user.click(await screen.findByRole('button', { name: 'Move down' }));
    await waitFor(() =>
      expect(server.sentTo('PUT /api/locations/HB-M10-CD/place').map(({ body }) => body)).toEqual([
        { parent: 'HB-M20', before: null, version: 3 },
        { parent: 'HB-M10', before: null, version: 3 },
      ]),
    );
    expect(screen.getByRole('button', { name: 'Move up' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('[DAT-01] moves a location by dragging, only to allowed places', async () => {
    const { server } = buildServer();
    server.on('PUT /api/locations/:location/place', changeReply);
    await setup({ server, url: urlOf('HB-M10-MD') });
    const deck = await findItem('Main deck');
    const dragTo = (target: HTMLElement, clientY: number): boolean => {
      const dataTransfer = { setData: () => undefined, effectAllowed: '' };
      fireEvent.dragStart(deck, { dataTransfer });
      const dragOver = createEvent.dragOver(target, { dataTransfer });
      Object.defineProperty(dragOver, 'clientY', { value: clientY });
      fireEvent(target, dragOver);
      const drop = createEvent.drop(target, { dataTransfer });
      Object.defineProperty(drop, 'clientY', { value: clientY });
      fireEvent(target, drop);
      fireEvent.dragEnd(deck, { dataTransfer });
      return dragOver.defaultPrevented;
    };
    expect(dragTo(await findItem('Heron Bay'), 26)).toBe(false);
    expect(dragTo(await findItem('Kestrel'), 2)).toBe(false);
    expect(dragTo(await findItem('Cellar deck'), 2)).toBe(true);
    await screen.findByText('Last change: Main deck was moved');
    expect(dragTo(await findItem('Module M20'), 26)).toBe(true);
    await waitFor(() =>
      expect(server.sentTo('PUT /api/locations/HB-M10-MD/place').map(({ body }) => body)).toEqual([
        { parent: 'HB-M10', before: 'HB-M10-CD', version: 3 },
        { parent: 'HB-M20', before: null, version: 3 },
      ]),
    );
  });

  it('[ACC-04] offers to move a location only to people who can change its parent', async () => {
    const me = buildMe({ access: { flags: ['configure'], locations: ['HB-M10'], deactivatedRoles: [] } });
    const { user } = await setup({ me, url: urlOf('HB-M10') });
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeDefined();
    for (const name of ['Move', 'Move up', 'Move down']) expect(screen.queryByRole('button', { name })).toBeNull();
    const unit = await findItem('Module M10');
    expect(unit.getAttribute('draggable')).toBe('false');
    act(() => unit.focus());
    await user.keyboard('{ArrowRight}');
    const deck = await findItem('Main deck');
    expect(deck.getAttribute('draggable')).toBe('true');
    await user.click(deck);
    expect(await screen.findByRole('button', { name: 'Move up' })).toBeDefined();
  });

  it('reports a conflict when a location is moved, and loads the locations again', async () => {
    const { server } = buildServer();
    server.on('PUT /api/locations/:location/place', refuse(409, 'E007', { current: rows[2] }));
    const { user } = await setup({ server, url: urlOf('HB-M10-CD') });
    await user.click(await screen.findByRole('button', { name: 'Move down' }));
    expect(await screen.findByText(/Someone else has changed this location meanwhile/)).toBeDefined();
    await waitFor(() => expect(server.sentTo('GET /api/locations')).toHaveLength(2));
    server.on('PUT /api/locations/:location', changeReply);
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    await user.type(await screen.findByRole('textbox', { name: /^Name/ }), ' B');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Last change: Cellar deck B was changed');
    expect(screen.queryByText(/Someone else has changed this location meanwhile/)).toBeNull();
  });

  it.each(['Edit', 'Delete'])('says that a location is gone if another person has deleted it: %s', async (action) => {
    const { server, state } = buildServer();
    const sendRefusal = (): FakeReply => {
      state.list = rows.filter(({ uid }) => uid !== 'HB-M20');
      return refuse(403, 'E003');
    };
    server.on('PUT /api/locations/:location', sendRefusal).on('GET /api/locations/:location/use', sendRefusal);
    const { user } = await setup({ server, url: urlOf('HB-M20') });
    await user.click(await screen.findByRole('button', { name: action }));
    if (action === 'Edit') {
      await user.type(await screen.findByRole('textbox', { name: /^Label/ }), 'x');
      await user.click(screen.getByRole('button', { name: 'Save' }));
    }
    expect(await screen.findByText(/The selected location is no longer there/)).toBeDefined();
    expect(screen.queryByRole('treeitem', { name: /^Module M20/ })).toBeNull();
    await user.click(await findItem('Kestrel'));
    expect(await screen.findByRole('heading', { level: 2, name: 'Kestrel' })).toBeDefined();
    expect([screen.queryByRole('dialog'), screen.queryByRole('alertdialog')]).toEqual([null, null]);
    expect(screen.queryByText(/The selected location is no longer there/)).toBeNull();
  });

  it('[DAT-01] deletes a location after a dialog has listed the dependent content', async () => {
    const { server, state } = buildServer();
    server
      .on('GET /api/locations/:location/use', {
        status: 200,
        body: { descendants: 2, roles: ['Operators', 'Painters'], contents: [] },
      })
      .on('DELETE /api/locations/:location', () => {
        state.list = rows.filter(({ uid }) => !uid.startsWith('HB-M10'));
        return changeReply;
      });
    const { user } = await setup({ server, url: urlOf('HB-M10') });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete Module M10?' });
    expect(await within(dialog).findByText('2 locations below it are deleted, too.')).toBeDefined();
    expect(within(dialog).getByText('2 roles lose access to it: Operators, Painters.')).toBeDefined();
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Last change: Module M10 was deleted')).toBeDefined();
    expect(await screen.findByRole('heading', { level: 2, name: 'Heron Bay' })).toBeDefined();
  });

  it('deletes no location with contents, and names them', async () => {
    const { server } = buildServer();
    server.on('GET /api/locations/:location/use', {
      status: 200,
      body: {
        descendants: 0,
        roles: [],
        contents: [
          { message: 'locations.home.units', count: 2 },
          { message: 'unknown.contents', count: 3 },
        ],
      },
    });
    const { user } = await setup({ server, url: urlOf('HB-M20') });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(await within(dialog).findByText('2 units')).toBeDefined();
    expect(await within(dialog).findByText('3 other entries')).toBeDefined();
    expect(within(dialog).getByText(/It cannot be deleted as long as it contains/)).toBeDefined();
    expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true);
  });

  it('[DAT-01] undoes from the notification, and shows why an undo is refused', async () => {
    const { server } = buildServer();
    server
      .on('PUT /api/locations/:location/place', changeReply)
      .on(
        'POST /api/changes/:change/undo',
        refuse(409, 'E007', { refusal: { message: 'locations.home.noMatchHint', values: { text: 'M10' } } }),
      );
    const { user } = await setup({ server, url: urlOf('HB-M10') });
    await user.click(await screen.findByRole('button', { name: 'Move down' }));
    const toast = await screen.findByText('Module M10 was moved');
    const buttons = await screen.findAllByRole('button', { name: 'Undo' });
    expect(buttons).toHaveLength(2);
    await user.click(buttons.find((button) => toast.parentElement?.contains(button)) ?? buttons[1]!);
    expect(await screen.findByText('No location name contains “M10”.')).toBeDefined();
  });
});

describe('record of a site', () => {
  it('saves time zone, frame and vertical datum', async () => {
    const { server, state } = buildServer();
    server.on('PUT /api/sites/:site', ({ body }) => {
      const { base, ...site } = body as SiteRecord & { readonly base: SiteRecord };
      expect(base.timeZone).toBe('Europe/Oslo');
      state.list = [{ ...rows[0]!, site }, ...rows.slice(1)];
      return changeReply;
    });
    const { user } = await setup({ server, url: urlOf('HB') });
    const zone = await screen.findByRole<HTMLInputElement>('combobox', { name: /Time zone/ });
    expect(zone.value).toBe('Europe/Oslo');
    const save = screen.getByRole('button', { name: 'Save record' });
    expect(save.getAttribute('aria-disabled')).toBe('true');
    await user.clear(zone);
    await user.type(zone, 'Europe/Nowhere');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Coordinate system' }), 'EPSG code');
    await user.click(save);
    expect(await screen.findByText(/Enter a time zone of the IANA database/)).toBeDefined();
    expect(screen.getByText('This is Mandatory')).toBeDefined();
    await user.clear(zone);
    await user.type(zone, 'Europe/Lon');
    await user.click(await screen.findByRole('option', { name: 'Europe/London' }));
    await user.type(screen.getByRole('textbox', { name: /EPSG code/ }), '25832');
    const east = screen.getByRole('textbox', { name: /East/ });
    await user.clear(east);
    await user.type(east, '432100.5');
    await user.selectOptions(screen.getByRole('combobox', { name: /Unit of coordinates/ }), 'US survey foot');
    await user.type(screen.getByRole('textbox', { name: /Vertical datum/ }), 'NN2000');
    await user.click(save);
    expect(await screen.findByText('Last change: The site record of Heron Bay was saved')).toBeDefined();
    expect(server.sentTo('PUT /api/sites/HB')[0]?.body).toMatchObject({
      timeZone: 'Europe/London',
      frame: { crs: 25832, origin: { east: 432100.5, north: 0, up: 0 }, rotation: 0, unit: 'ftUS' },
      verticalDatum: 'NN2000',
    });
    expect(screen.getByRole('button', { name: 'Save record' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('sends nothing if the record is the same', async () => {
    const { server } = buildServer();
    const { user } = await setup({ server, url: urlOf('HB') });
    await user.type(await screen.findByRole('textbox', { name: /Vertical datum/ }), ' ');
    await user.click(screen.getByRole('button', { name: 'Save record' }));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Save record' }).getAttribute('aria-disabled')).toBe('true'),
    );
    expect(server.sentTo('PUT /api/sites/HB')).toEqual([]);
  });

  it('adopts values that only the other person has changed, and names values that the next save replaces', async () => {
    const { timeZone, frame } = defaultSiteRecord('Asia/Tokyo');
    const origin = { east: 1500.25, north: 0, up: 0 };
    const theirRecord: SiteRecord = {
      timeZone,
      frame: { ...frame, crs: 25832, origin, unit: 'ft' },
      verticalDatum: 'T.P.',
    };
    const { server, state } = buildServer();
    server.on('PUT /api/sites/:site', () => {
      state.list = [{ ...rows[0]!, site: theirRecord }, ...rows.slice(1)];
      const refusal = { message: 'core.refused.locationChanged', values: { name: 'Heron Bay' } };
      return refuse(409, 'E007', { refusal, current: state.list[0] });
    });
    const { user } = await setup({ server, url: urlOf('HB') });
    const datum = await screen.findByRole<HTMLInputElement>('textbox', { name: /Vertical datum/ });
    await user.type(datum, 'MSL');
    const rotation = screen.getByRole('textbox', { name: /Rotation/ });
    await user.clear(rotation);
    await user.type(rotation, '12');
    await user.click(screen.getByRole('button', { name: 'Save record' }));
    expect(await screen.findByText('Someone else has changed the site record meanwhile.')).toBeDefined();
    const alert = screen.getByText(/Nothing is saved yet/).closest('[role="alert"]') as HTMLElement;
    expect(
      within(alert)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Time zone: their value “Asia/Tokyo” is in your form now.',
      'Coordinate system: their value “25832” is in your form now.',
      'Unit of coordinates: their value “International foot” is in your form now.',
      'East: their value “1500.25” is in your form now.',
      'Vertical datum: they saved “T.P.”. Saving replaces it with your “MSL”.',
    ]);
    expect(datum.value).toBe('MSL');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /East/ }).value).toBe('1500.25');
    server.on('PUT /api/sites/:site', changeReply);
    await user.click(screen.getByRole('button', { name: 'Save record' }));
    await waitFor(() => expect(server.sentTo('PUT /api/sites/HB')).toHaveLength(2));
    expect(server.sentTo('PUT /api/sites/HB')[1]?.body).toEqual({
      ...theirRecord,
      frame: { ...theirRecord.frame, rotation: 12 },
      verticalDatum: 'MSL',
      base: theirRecord,
    });
    await waitFor(() => expect(screen.queryByText(/Nothing is saved yet/)).toBeNull());
  });

  it('saves nothing after a conflict if the values of the other person are entered', async () => {
    const theirRecord = { ...defaultSiteRecord('Europe/Oslo'), verticalDatum: 'NN1954' };
    const { server } = buildServer();
    server.on('PUT /api/sites/:site', refuse(409, 'E007', { current: { ...rows[0]!, site: theirRecord } }));
    const { user } = await setup({ server, url: urlOf('HB') });
    const datum = await screen.findByRole('textbox', { name: /Vertical datum/ });
    await user.type(datum, 'NN2000');
    await user.click(screen.getByRole('button', { name: 'Save record' }));
    await screen.findByText(/they saved “NN1954”/);
    await user.clear(datum);
    await user.type(datum, 'NN1954');
    expect(screen.getByText('Vertical datum: their value “NN1954” is in your form now.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Save record' }));
    await waitFor(() => expect(screen.queryByText(/Nothing is saved yet/)).toBeNull());
    expect(server.sentTo('PUT /api/sites/HB')).toHaveLength(1);
  });

  it.each(['Asia/Kolkata', 'UTC', 'Asia/Ulan_Bator'])(
    'keeps the typed zone %s, which browsers do not list',
    async (typedZone) => {
      const { user } = await setup({ url: urlOf('HB') });
      const zone = await screen.findByRole<HTMLInputElement>('combobox', { name: /Time zone/ });
      await user.clear(zone);
      await user.type(zone, typedZone);
      expect(await screen.findByRole('option', { name: typedZone.replaceAll('_', ' ') })).toBeDefined();
      await user.keyboard('{Tab}');
      expect(zone.value).toBe(typedZone);
    },
  );

  it('offers a zone by its current name', async () => {
    const { user } = await setup({ url: urlOf('HB') });
    const zone = await screen.findByRole('combobox', { name: /Time zone/ });
    await user.clear(zone);
    await user.type(zone, 'kolkata');
    expect(await screen.findByRole('option', { name: 'Asia/Kolkata' })).toBeDefined();
  });

  it('asks before unsaved input is lost', async () => {
    const { user, core } = await setup({ url: urlOf('HB') });
    await user.type(await screen.findByRole('textbox', { name: /Vertical datum/ }), 'NN2000');
    await user.click(await findItem('Kestrel'));
    expect(window.location.search).toBe('?location=HB');
    const unsavedWork = core.host.root.get(UnsavedWork);
    await act(async () => unsavedWork.question?.leave());
    await waitFor(() => expect(window.location.search).toBe('?location=KES'));
  });
});

it('is in French', async () => {
  const { user } = await setup({ language: 'fr', url: urlOf('HB-M10') });
  expect(await screen.findByRole('heading', { level: 1, name: 'Sites et unités' })).toBeDefined();
  expect((await findItem('Module M10')).getAttribute('aria-label')).toBe('Module M10, Process, HB-M10, Unité');
  await user.click(screen.getByRole('button', { name: 'Supprimer' }));
  expect(await screen.findByRole('alertdialog', { name: 'Supprimer Module M10\u00a0?' })).toBeDefined();
});

it('is an admin screen', async () => {
  const me = buildMe({ userType: 'TENANT_ADMIN', isAdmin: true });
  await renderApp({ plugins, server: buildServer().server, me, url: '/admin/console/sites' });
  expect(await screen.findByRole('heading', { level: 1, name: 'Sites and units' })).toBeDefined();
});

describe('home of an empty product', () => {
  it('shows that there are no locations to people without the flag configure', async () => {
    await renderScreen(<HomeScreen />, { plugins, server: buildServer([]).server });
    expect(await screen.findByText('No locations yet')).toBeDefined();
  });
});
