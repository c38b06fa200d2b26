import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultSiteRecord, type LocationRow, type LocationType } from '#core';
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
import type { ContentDeck, ContentNode, TourContent } from '../../../contract/api/tour-content.ts';
import tour from '../../index.ts';
import ContentScreen from './content-screen.tsx';

const buildRow = (uid: string, name: string, parent: string, locationType: LocationType): LocationRow => ({
  uid,
  name,
  label: '',
  parent,
  root: 'HB',
  locationType,
  version: 1,
});
const rows: readonly LocationRow[] = [
  { ...buildSite('HB', { timeZone: 'Europe/Oslo' }), name: 'Heron Bay', label: '' },
  buildRow('HB-M10', 'Module M10', 'HB', 'PLATFORM_UNIT'),
  buildRow('HB-M10-CD', 'Cellar deck', 'HB-M10', 'LOC_LEVEL'),
  buildRow('HB-M10-MD', 'Main deck', 'HB-M10', 'LOC_LEVEL'),
];
const cellar: ContentDeck = {
  uid: 'deck-1',
  code: 'CD',
  name: 'Cellar deck',
  location: 'HB-M10-CD',
  elevation: 12.5,
  floor: 'GRATED',
  plan: null,
  walls: [],
  version: 2,
};
const buildNode = (number: number, changes: Partial<ContentNode> = {}): ContentNode => ({
  uid: `node-${number}`,
  code: `N${number}`,
  name: `Pump ${number}`,
  tour: 'tour-1',
  deck: 'deck-1',
  location: 'HB-M10-CD',
  position: [number * 10, 5, 14.1],
  heading: 90,
  thumbnail: null,
  posedTilt: null,
  hasPanorama: false,
  version: 7,
  ...changes,
});
const content: TourContent = {
  decks: [cellar],
  tours: [{ uid: 'tour-1', code: 'M10', name: 'Module M10', location: 'HB-M10', startNode: 'node-1', version: 4 }],
  nodes: [buildNode(1, { hasPanorama: true }), buildNode(2), buildNode(3)],
  links: [{ a: 'node-1', b: 'node-2', kind: 'WALK' }],
  alignments: [],
  hasSurfaces: true,
};
const emptyContent: TourContent = { decks: [], tours: [], nodes: [], links: [], alignments: [], hasSurfaces: true };

const contentEndpoint = 'GET /api/tour-content/:location';
const nodesEndpoint = 'PUT /api/tour-content/:location/tours/:tour/nodes';
const linksEndpoint = 'POST /api/tour-content/:location/tours/:tour/links';
const undoEndpoint = 'POST /api/changes/:change/undo';
const changedReply: FakeReply = { status: 200, body: { change: 'c1' } };
const createdReply: FakeReply = { status: 201, body: { change: 'c1' } };
const refuse = (status: number, code: string, body: object = {}): FakeReply => ({
  status,
  body: { code, message: 'Refused.', reference: 'r1', ...body },
});

/** A server whose content a test can replace. */
function buildServer(value: TourContent = content) {
  const state = { content: value };
  const server = new FakeServer()
    .on('GET /api/locations', { status: 200, body: rows })
    .on(contentEndpoint, () => ({ status: 200, body: state.content }))
    .on(nodesEndpoint, ({ body }) => {
      const { nodes } = body as { readonly nodes: readonly ContentNode[] };
      const find = (uid: string) => nodes.find((node) => node.uid === uid);
      state.content = {
        ...state.content,
        nodes: state.content.nodes.map((node) =>
          find(node.uid) ? { ...node, ...find(node.uid), version: node.version + 1 } : node,
        ),
      };
      return changedReply;
    })
    .on(undoEndpoint, changedReply);
  return { server, state };
}

const plugins = [{ id: 'tour', settings: {}, web: tour, bridges: [] }];
const setup = (options: WebSetup = {}) =>
  renderScreen(<ContentScreen />, {
    plugins,
    plugin: 'tour',
    server: buildServer().server,
    url: '/admin/console/viewpoints?location=HB-M10',
    me: buildMe({ isAdmin: true }),
    ...options,
  });
const findPlan = () => screen.findByRole('application');
type Pixel = readonly [x: number, y: number];
/** jsdom has no pointer events. */
function firePointer(
  plan: HTMLElement,
  type: 'down' | 'move' | 'up',
  [clientX, clientY]: Pixel,
  keys: MouseEventInit = {},
) {
  const event = new MouseEvent(`pointer${type}`, { bubbles: true, button: 0, clientX, clientY, ...keys });
  fireEvent(plan, Object.assign(event, { pointerId: 1, pointerType: 'mouse' }));
}
function click(plan: HTMLElement, pixel: Pixel, keys?: MouseEventInit) {
  firePointer(plan, 'down', pixel, keys);
  firePointer(plan, 'up', pixel, keys);
}
function drag(plan: HTMLElement, from: Pixel, to: Pixel, keys?: MouseEventInit) {
  firePointer(plan, 'down', from, keys);
  firePointer(plan, 'move', [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], keys);
  firePointer(plan, 'move', to, keys);
  firePointer(plan, 'up', to, keys);
}
/** The grid is 40 x 30 m in 800 x 400 pixels: 0.075 m per pixel around east 20 and north 5. */
const at = (east: number, north: number) => [400 + (east - 20) / 0.075, 200 - (north - 5) / 0.075] as const;

let restoreSize: () => void;
beforeEach(() => {
  restoreSize = pretendSize(800, 400);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined;
      unobserve = () => undefined;
      disconnect = () => undefined;
    },
  );
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 800, 400));
});
afterEach(() => {
  restoreSize();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('ContentScreen', () => {
  it('explains the first step at an empty location', async () => {
    await setup({ server: buildServer(emptyContent).server });
    expect(await screen.findByText(/First add the deck of each level, then create a tour/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Add a viewpoint' }).getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByText(/First create the tour of this location/)).toBeDefined();
  });

  it('reports missing access, and offers a retry after a lost connection', async () => {
    const { server } = buildServer();
    const first = await setup({ server: server.on(contentEndpoint, refuse(403, 'E003')) });
    expect(await screen.findByText('You do not have access to the contents of this location')).toBeDefined();
    first.unmount();
    let offline = true;
    const { user } = await setup({
      server: buildServer().server.on(contentEndpoint, () => {
        if (offline) throw new ConnectionLostError();
        return { status: 200, body: content };
      }),
    });
    const retry = await screen.findByRole('button', { name: /again/i });
    offline = false;
    await user.click(retry);
    expect(await screen.findByRole('heading', { name: 'Viewpoints' })).toBeDefined();
  });

  it('opens only for admins', async () => {
    const me = buildMe({ userType: 'TENANT_ADMIN', isAdmin: true });
    await renderApp({ plugins, server: buildServer().server, me, url: '/admin/console/viewpoints' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Decks and viewpoints' })).toBeDefined();
  });
});

describe('decks', () => {
  it('[DAT-02] creates the deck of a level with the proposed code and name', async () => {
    const { server } = buildServer();
    server.on('POST /api/tour-content/:location/decks', createdReply);
    const { user } = await setup({ server });
    await user.click(await screen.findByRole('button', { name: 'Add a deck' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add the deck of a level' }));
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: /^Name/ }).value).toBe('Main deck');
    await user.type(dialog.getByRole('textbox', { name: /^Elevation/ }), '1 018.25');
    await user.selectOptions(dialog.getByRole('combobox', { name: /^Floor/ }), 'Plated: nothing passes through');
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('Last change: The deck Main deck was created')).toBeDefined();
    const [request] = server.sentTo('POST /api/tour-content/HB-M10-MD/decks');
    expect(request?.body).toMatchObject({ code: 'HB-M10-MD', name: 'Main deck', elevation: 1018.25, floor: 'PLATED' });
  });

  it.each([
    ['Decks', 'Add a deck', '/decks'],
    ['Tours', 'Create a tour', '/tours'],
  ])('repeats a creation with the same uid if its reply was lost: %s', async (_, button, path) => {
    const { server } = buildServer();
    const endpoint = `POST /api/tour-content/:location${path}`;
    server.on(endpoint, () => {
      if (server.sentTo(endpoint).length === 1) throw new ConnectionLostError();
      return createdReply;
    });
    const { user } = await setup({ server });
    await user.click(await screen.findByRole('button', { name: button }));
    const dialog = within(await screen.findByRole('dialog'));
    const elevation = dialog.queryByRole('textbox', { name: /^Elevation/ });
    if (elevation) await user.type(elevation, '1');
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    await dialog.findByText(/connection/i);
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText(/^Last change: /)).toBeDefined();
    const uids = server.sentTo(endpoint).map(({ body }) => (body as { readonly uid: string }).uid);
    expect(uids).toHaveLength(2);
    expect(new Set(uids).size).toBe(1);
  });

  it('keeps the input after a conflict, and overwrites the current version', async () => {
    const { server } = buildServer();
    const endpoint = 'PUT /api/tour-content/:location/decks/:deck';
    server.on(endpoint, refuse(409, 'E007', { current: { ...cellar, name: 'Lower deck', version: 3 } }));
    const { user } = await setup({ server });
    const decks = within(await screen.findByRole('region', { name: 'Decks' }));
    await user.click(decks.getByRole('button', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Cellar deck' }));
    const name = dialog.getByRole<HTMLInputElement>('textbox', { name: /^Name/ });
    await user.clear(name);
    await user.type(name, 'Bottom deck');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('Name: Lower deck')).toBeDefined();
    expect(name.value).toBe('Bottom deck');
    server.on(endpoint, changedReply);
    await user.click(dialog.getByRole('button', { name: 'Save my version' }));
    expect(await screen.findByText('Last change: The deck Bottom deck was changed')).toBeDefined();
    expect(server.sentTo(endpoint).map(({ body }) => (body as ContentDeck).version)).toEqual([2, 3]);
  });

  it('[DAT-02] says before a deck is deleted that its viewpoints stay, and undoes and redoes the deletion', async () => {
    const { server, state } = buildServer();
    server.on('DELETE /api/tour-content/:location/decks/:deck', () => {
      state.content = { ...content, decks: [], nodes: content.nodes.map((node) => ({ ...node, deck: null })) };
      return changedReply;
    });
    const { user } = await setup({ server });
    const decks = within(await screen.findByRole('region', { name: 'Decks' }));
    await user.click(decks.getByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete Cellar deck?' }));
    expect(dialog.getByText(/Its 3 viewpoints stay, without a deck\./)).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Last change: The deck Cellar deck was deleted')).toBeDefined();
    expect(server.sentTo('DELETE /api/tour-content/HB-M10-CD/decks/deck-1')[0]?.query.get('version')).toBe('2');
    expect(screen.getByRole('application', { name: 'Plan with viewpoints: Without a deck' })).toBeDefined();
    server.on(undoEndpoint, () => {
      state.content = content;
      return { status: 200, body: { change: 'c2' } };
    });
    await user.click(screen.getAllByRole('button', { name: 'Undo' })[0]!);
    expect(await screen.findByText('Last change: The deletion of the deck Cellar deck was undone')).toBeDefined();
    await user.click(screen.getAllByRole('button', { name: 'Redo' })[0]!);
    expect(await screen.findByText('Last change: The deck Cellar deck was deleted')).toBeDefined();
    expect(server.sentTo(undoEndpoint).map(({ path }) => path)).toEqual([
      '/api/changes/c1/undo',
      '/api/changes/c2/undo',
    ]);
  });
});

it('offers to place a plan after it is uploaded', async () => {
  await setup();
  const decks = within(await screen.findByRole('region', { name: 'Decks' }));
  expect(decks.getByRole('button', { name: 'Place plan…' }).getAttribute('aria-disabled')).toBe('true');
  expect(decks.getByText('none')).toBeDefined();
  expect(decks.getByText('none. Place the plan to draw walls on it')).toBeDefined();
});

describe('tours', () => {
  it('[DAT-02] creates a tour, and refuses to delete a tour with viewpoints', async () => {
    const { server } = buildServer();
    server
      .on('POST /api/tour-content/:location/tours', createdReply)
      .on(
        'DELETE /api/tour-content/:location/tours/:tour',
        refuse(409, 'E007', { refusal: { message: 'tour.refused.tourHasPlaces', values: { name: 'Module M10' } } }),
      );
    const { user } = await setup({ server });
    await user.click(await screen.findByRole('button', { name: 'Create a tour' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create the tour of a location' }));
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: /^Code/ }).value).toBe('HB-M10-CD');
    await user.selectOptions(dialog.getByRole('combobox', { name: /^Location/ }), 'Main deck');
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('Last change: The tour Main deck was created')).toBeDefined();
    expect(server.sentTo('POST /api/tour-content/HB-M10-MD/tours')[0]?.body).toMatchObject({ code: 'HB-M10-MD' });
    const tours = within(await screen.findByRole('region', { name: 'Tours' }));
    await user.click(tours.getByRole('button', { name: 'Delete' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete Module M10?' }));
    await user.click(question.getByRole('button', { name: 'Delete' }));
    expect(await question.findByText('“Module M10” has viewpoints. Please delete them first.')).toBeDefined();
  });

  it('changes the viewpoints of a tour at a location above, but not that tour', async () => {
    const { server } = buildServer();
    await setup({ server, url: '/admin/console/viewpoints?location=HB-M10-CD' });
    const tours = within(await screen.findByRole('region', { name: 'Tours' }));
    expect(tours.queryByRole('button', { name: 'Edit' })).toBeNull();
    drag(await findPlan(), at(20, 5), at(20, 0));
    await waitFor(() => expect(server.sentTo('PUT /api/tour-content/HB-M10-CD/tours/tour-1/nodes')).toHaveLength(1));
  });

  it('chooses the first viewpoint', async () => {
    const { server } = buildServer();
    server.on('PUT /api/tour-content/:location/tours/:tour', changedReply);
    const { user } = await setup({ server });
    const tours = within(await screen.findByRole('region', { name: 'Tours' }));
    await user.click(tours.getByRole('button', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Module M10' }));
    await user.selectOptions(dialog.getByRole('combobox', { name: /^First viewpoint/ }), 'N3 · Pump 3');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Last change: The tour Module M10 was changed')).toBeDefined();
    expect(server.sentTo('PUT /api/tour-content/HB-M10/tours/tour-1')[0]?.body).toEqual({
      name: 'Module M10',
      startNode: 'node-3',
      version: 4,
    });
  });
});

describe('viewpoints on the plan', () => {
  it('[DAT-02] saves a dragged viewpoint by one request, and undoes it', async () => {
    const { server } = buildServer();
    const { user } = await setup({ server });
    const plan = await findPlan();
    drag(plan, at(20, 5), at(23, 8));
    expect(await screen.findByText('Last change: Pump 2 was moved')).toBeDefined();
    expect(server.sentTo(nodesEndpoint).map(({ body }) => body)).toEqual([
      {
        nodes: [{ uid: 'node-2', name: 'Pump 2', deck: 'deck-1', position: [23, 8, 14.1], heading: 90, version: 7 }],
      },
    ]);
    expect(screen.getByText(/N2, Pump 2: E 23 m, N 8 m, EL 14.1 m/)).toBeDefined();
    await user.click(screen.getAllByRole('button', { name: 'Undo' })[0]!);
    expect(await screen.findByText('Last change: The move of Pump 2 was undone')).toBeDefined();
  });

  it('[DAT-02] turns viewpoints by Alt and drag, and by the handle', async () => {
    const { server } = buildServer();
    await setup({ server });
    const plan = await findPlan();
    drag(plan, at(20, 5), at(20, 0), { altKey: true });
    await waitFor(() => expect(server.sentTo(nodesEndpoint)).toHaveLength(1));
    await screen.findByText('Last change: Pump 2 was moved');
    const [x, y] = at(20, 5);
    drag(plan, [x, y + 34], [x - 100, y]);
    await waitFor(() => expect(server.sentTo(nodesEndpoint)).toHaveLength(2));
    const headings = server
      .sentTo(nodesEndpoint)
      .map(({ body }) => (body as { nodes: readonly ContentNode[] }).nodes[0]?.heading);
    expect(headings).toEqual([180, 270]);
  });

  it('selects by box and by Shift and click, and moves the selected viewpoints together', async () => {
    const { server } = buildServer();
    await setup({ server });
    const plan = await findPlan();
    drag(plan, at(5, 10), at(25, 0), { shiftKey: true });
    expect((await screen.findAllByText('2 viewpoints selected')).length).toBeGreaterThan(0);
    click(plan, at(30, 5), { shiftKey: true });
    expect((await screen.findAllByText('3 viewpoints selected')).length).toBeGreaterThan(0);
    drag(plan, at(20, 5), at(20, 6));
    expect(await screen.findByText('Last change: 3 viewpoints were moved')).toBeDefined();
    const [{ body } = { body: undefined }] = server.sentTo(nodesEndpoint);
    expect((body as { nodes: readonly ContentNode[] }).nodes.map(({ position }) => position)).toEqual([
      [10, 6, 14.1],
      [20, 6, 14.1],
      [30, 6, 14.1],
    ]);
  });

  it('selects, moves and turns by keys, and saves consecutive key presses by one request', async () => {
    const { server } = buildServer();
    const { user } = await setup({ server });
    const plan = await findPlan();
    act(() => plan.focus());
    await user.keyboard('{PageDown}{PageDown}{ArrowRight}{Shift>}{ArrowUp}{/Shift}[[');
    expect(screen.getByText(/N2, Pump 2: E 20.1 m, N 6 m, EL 14.1 m, heading 89°/)).toBeDefined();
    expect(await screen.findByText('Last change: Pump 2 was moved', undefined, { timeout: 5000 })).toBeDefined();
    expect(server.sentTo(nodesEndpoint).map(({ body }) => (body as { nodes: unknown[] }).nodes)).toMatchObject([
      [{ uid: 'node-2', position: [20.1, 6, 14.1], heading: 89 }],
    ]);
    await user.keyboard('{Escape}');
    expect(screen.queryByText(/N2, Pump 2:/)).toBeNull();
  });

  it('keeps a move after a conflict, shows the current values, and saves the move on request', async () => {
    const { server, state } = buildServer();
    const theirNode = buildNode(2, { position: [21, 5, 14.1], version: 8 });
    const save = (): FakeReply => {
      state.content = { ...content, nodes: content.nodes.map((node) => (node.uid === 'node-2' ? theirNode : node)) };
      return refuse(409, 'E007', { current: theirNode });
    };
    server.on(nodesEndpoint, save);
    const { user } = await setup({ server });
    drag(await findPlan(), at(20, 5), at(23, 8));
    expect(await screen.findByText(/Someone else has changed N2 meanwhile\. It is now at E 21 m/)).toBeDefined();
    expect(screen.getByText(/N2, Pump 2: E 23 m, N 8 m/)).toBeDefined();
    server.on(nodesEndpoint, changedReply);
    await user.click(screen.getByRole('button', { name: 'Save my version' }));
    expect(await screen.findByText('Last change: Pump 2 was moved')).toBeDefined();
    expect(server.sentTo(nodesEndpoint).map(({ body }) => (body as { nodes: unknown[] }).nodes)).toMatchObject([
      [{ version: 7 }],
      [{ version: 8, position: [23, 8, 14.1] }],
    ]);
  });

  it('keeps a move while the connection is lost, and discards it on request', async () => {
    const { server } = buildServer();
    server.on(nodesEndpoint, () => {
      throw new ConnectionLostError();
    });
    const { user } = await setup({ server });
    drag(await findPlan(), at(20, 5), at(23, 8));
    expect(await screen.findByText(/Your change is kept on the plan and not saved/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Discard my changes' }));
    expect(screen.getByText(/N2, Pump 2: E 20 m, N 5 m/)).toBeDefined();
  });

  it('[DAT-02] adds a viewpoint by a click, with the next code and at eye height', async () => {
    const { server } = buildServer();
    server.on('POST /api/tour-content/:location/tours/:tour/nodes', createdReply);
    const { user } = await setup({ server });
    const plan = await findPlan();
    await user.click(screen.getByRole('button', { name: 'Add by click' }));
    click(plan, at(35, 8));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a viewpoint' }));
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: /^Up/ }).value).toBe('14.1');
    await user.click(dialog.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('Last change: Viewpoint N4 was added')).toBeDefined();
    expect(server.sentTo('POST /api/tour-content/HB-M10/tours/tour-1/nodes')[0]?.body).toMatchObject({
      nodes: [{ code: 'N4', name: 'Viewpoint N4', deck: 'deck-1', position: [35, 8, 14.1], heading: 0 }],
    });
  });

  it('[DAT-02] draws the placed plan, its viewpoints and links', async () => {
    const plan = {
      address: '/plan.png',
      width: 800,
      height: 400,
      placement: { centre: [20, 5] as const, scale: 0.1, heading: 0 },
      points: [],
    };
    const { container } = await setup({
      server: buildServer({ ...content, decks: [{ ...cellar, plan }] }).server,
    });
    await findPlan();
    expect(container.querySelector('image')?.getAttribute('href')).toBe('/plan.png');
    expect(container.querySelectorAll('[data-link=WALK]')).toHaveLength(1);
    expect(container.querySelector('svg g[transform="translate(300 200)"]')).not.toBeNull();
  });
});

describe('viewpoints from a file', () => {
  const nodesOfTour = 'POST /api/tour-content/:location/tours/:tour/nodes';
  const openFile = async (text: string, locations = rows, value = content) => {
    const { server } = buildServer(value);
    server.on('GET /api/locations', { status: 200, body: locations });
    server.on(nodesOfTour, { status: 201, body: { change: 'c2' } });
    const { user } = await setup({ server });
    await user.click(await screen.findByRole('button', { name: 'From a file…' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.upload(dialog.getByTestId('file-input'), new File([text], 'poses.csv', { type: 'text/csv' }));
    return { server, user, dialog };
  };

  it('assigns viewpoints to the deck below them, and skips existing viewpoints', async () => {
    const { server, user, dialog } = await openFile(
      'filename;x;y;z;heading\npano_01.jpg;1,5;2;14,1;10\nN1.jpg;1;1;14;0\npano_02.jpg;3;4;2;20',
    );
    expect(await dialog.findByText(/2 viewpoints are added: 1 on Cellar deck. 1 on Without a deck./)).toBeDefined();
    expect(dialog.getByText('1 viewpoint of the file exists already and stays as it is.')).toBeDefined();
    const offset = dialog.getByRole('textbox', { name: /^Added to each heading/ });
    await user.clear(offset);
    await user.type(offset, '90');
    await user.click(dialog.getByRole('button', { name: 'Add 2 viewpoints' }));
    expect(await screen.findByText('Last change: 2 viewpoints were added')).toBeDefined();
    expect(server.sentTo(nodesOfTour)[0]?.body).toMatchObject({
      nodes: [
        { code: 'pano-01', name: 'pano_01', deck: 'deck-1', position: [1.5, 2, 14.1], heading: 100 },
        { code: 'pano-02', deck: null, position: [3, 4, 2], heading: 110 },
      ],
    });
  });

  it('reads coordinates in the unit of the site or another chosen unit', async () => {
    const { frame } = defaultSiteRecord('UTC');
    const locations = [buildSite('HB', { frame: { ...frame, unit: 'ft' } }), ...rows.slice(1)];
    const { server, user, dialog } = await openFile(
      'Nom du fichier;Est (pi);Nord (pi);Hauteur (pi)\nA.jpg;100;200;50',
      locations,
    );
    const unit = await dialog.findByRole('combobox', { name: 'Unit of the coordinates' });
    expect(unit).toHaveProperty('value', 'ft');
    expect(
      dialog.getByText(
        /: Est \(pi\) in international feet, Nord \(pi\) in .*, Hauteur \(pi\) in international feet\.$/,
      ),
    ).toBeDefined();
    await user.selectOptions(unit, 'ftUS');
    expect(dialog.getByText(/: Est \(pi\) in US survey feet, /)).toBeDefined();
    await user.selectOptions(unit, 'ft');
    await user.click(dialog.getByRole('button', { name: 'Add 1 viewpoint' }));
    await waitFor(() => expect(server.sentTo(nodesOfTour)).toHaveLength(1));
    expect(server.sentTo(nodesOfTour)[0]?.body).toMatchObject({
      nodes: [{ code: 'A', position: [30.48, 60.96, 15.24] }],
    });
  });

  const crsRows = [
    buildSite('HB', {
      frame: { crs: 2278, origin: { east: 2_987_700, north: 13_712_300, up: 0 }, rotation: 0, unit: 'ftUS' },
    }),
    ...rows.slice(1),
  ];

  it('proposes the CRS of the site if positions are at the site only when converted from it', async () => {
    const { server, user, dialog } = await openFile('name;x;y;z\nA;2987754.3;13712345;46', crsRows);
    const tick = await dialog.findByRole('checkbox', { name: /^The coordinates are those of the site’s CRS/ });
    expect(tick).toHaveProperty('checked', true);
    expect(dialog.getByText(/^Proposed because .* 1 position is 1,40,34,032.US survey ft away from it/)).toBeDefined();
    await user.click(tick);
    expect(dialog.queryByText(/^Proposed because/)).toBeNull();
    expect(dialog.getByText(/^1 position is .* away from the nearest deck or viewpoint/)).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Add 1 viewpoint' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('far away from the site');
    expect(server.sentTo(nodesOfTour)).toHaveLength(0);
    await user.click(tick);
    await user.click(dialog.getByRole('button', { name: 'Add 1 viewpoint' }));
    await waitFor(() => expect(server.sentTo(nodesOfTour)).toHaveLength(1));
    const body = server.sentTo(nodesOfTour)[0]?.body as { readonly nodes: readonly ContentNode[] } | undefined;
    expect(body?.nodes[0]?.position.map((value) => Math.round(value * 1000) / 1000)).toEqual([16.551, 13.716, 14.021]);
  });

  it('sets the unit, the CRS and the turn of headings anew for each file', async () => {
    const { user, dialog } = await openFile('name;x;y;z;heading\nA;2987754.3;13712345;46;10', crsRows);
    await user.click(await dialog.findByRole('checkbox', { name: /^The coordinates are those/ }));
    await user.click(dialog.getByRole('checkbox', { name: /^The coordinates are those/ }));
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Unit of the coordinates' }), 'm');
    const offset = () => dialog.getByRole('textbox', { name: /^Added to each heading/ });
    await user.clear(offset());
    await user.type(offset(), '90');
    await user.upload(dialog.getByTestId('file-input'), new File(['name;x;y;z;heading\nB;60;15;46;10'], 'site.csv'));
    expect(await dialog.findByRole('cell', { name: 'B' })).toBeDefined();
    expect(dialog.getByRole('checkbox', { name: /^The coordinates are those/ })).toHaveProperty('checked', false);
    expect(dialog.getByRole('combobox', { name: 'Unit of the coordinates' })).toHaveProperty('value', 'ftUS');
    expect(offset()).toHaveProperty('value', '0');
    expect(dialog.queryByText(/away from the nearest/)).toBeNull();
  });

  it('adds positions far from everything of the site only after a confirmation', async () => {
    const { server, user, dialog } = await openFile('name;x;y;z\nA;15;5;14\nB;9015;5;14\nC;15;9005;14');
    expect(
      await dialog.findByText(/^2 positions are up to 9,000.m away from the nearest deck or viewpoint\. Is the unit/),
    ).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Add 3 viewpoints' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('far away from the site');
    expect(server.sentTo(nodesOfTour)).toHaveLength(0);
    await user.click(dialog.getByRole('checkbox', { name: 'Take these 2 positions nevertheless' }));
    await user.click(dialog.getByRole('button', { name: 'Add 3 viewpoints' }));
    await waitFor(() => expect(server.sentTo(nodesOfTour)).toHaveLength(1));
  });

  it('says that omega, phi and kappa are not read as headings', async () => {
    const { user, dialog } = await openFile('name;x;y;z;Omega;Phi;Kappa [deg]\nA;15;5;14;1;2;120');
    expect(
      await dialog.findByText(
        /^Headings are not read: the angles Omega, Phi, Kappa \[deg\] are not converted.* look to the north of the site/,
      ),
    ).toBeDefined();
    await user.type(dialog.getByRole('textbox', { name: /^Added to each heading/ }), '30');
    expect(dialog.getByText(/^Headings are not read.* will have the heading 30°/)).toBeDefined();
    await user.selectOptions(
      dialog.getByRole('combobox', { name: /^Heading/ }),
      dialog.getAllByRole('option', { name: 'Kappa [deg] (120)' }).map((option) => option.getAttribute('value')!)[0]!,
    );
    expect(dialog.queryByText(/^Headings are not read/)).toBeNull();
  });

  it('names each invalid row, and skips invalid rows only after confirmation', async () => {
    const { server, user, dialog } = await openFile('name,x,y,z\nA,1,2,3\nB,one,2,3');
    expect(await dialog.findByText('Row 3, East: “one” is not a number.')).toBeDefined();
    const add = dialog.getByRole('button', { name: 'Add 1 viewpoint' });
    await user.click(add);
    expect((await dialog.findByRole('alert')).textContent).toContain('leave these rows out');
    expect(server.sentTo(nodesOfTour)).toHaveLength(0);
    await user.click(dialog.getByRole('checkbox', { name: 'Leave out this row' }));
    await user.click(add);
    await waitFor(() => expect(server.sentTo(nodesOfTour)).toHaveLength(1));
  });

  it('adds poses at the place of a viewpoint only after a choice', async () => {
    const text =
      'name;x;y;z;heading\nP1;10,02;5;14,1;120\nP2;50;5;14,1;0\nP3;50;5,1;14,1;0\nP4;10;5;20;0\nN2;21;5;14,1;90';
    const { server, user, dialog } = await openFile(text);
    expect(await dialog.findByText('Row 2, P1: 0.02 m from the existing viewpoint N1.')).toBeDefined();
    expect(dialog.getByText('Row 4, P3: 0.10 m from P2 of the file.')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Add 2 viewpoints' }));
    expect(dialog.getAllByText(/^Choose what happens with the rows/)).not.toEqual([]);
    expect(server.sentTo(nodesOfTour)).toEqual([]);
    await user.click(dialog.getByRole('radio', { name: 'Add them as further viewpoints' }));
    expect(dialog.getByRole('button', { name: 'Add 4 viewpoints' })).toBeDefined();
    await user.click(dialog.getByRole('radio', { name: /^Give the existing viewpoints/ }));
    await user.click(dialog.getByRole('checkbox', { name: /^Give the existing viewpoint the pose/ }));
    await user.click(dialog.getByRole('button', { name: 'Add 2, update 2' }));
    await waitFor(() => expect(server.sentTo(nodesOfTour)).toHaveLength(1));
    expect(server.sentTo(nodesOfTour)[0]?.body).toMatchObject({ nodes: [{ code: 'P2' }, { code: 'P4' }] });
    expect(server.sentTo(nodesEndpoint)[0]?.body).toMatchObject({
      nodes: [
        { uid: 'node-2', name: 'Pump 2', deck: 'deck-1', position: [21, 5, 14.1], heading: 90, version: 7 },
        { uid: 'node-1', name: 'Pump 1', deck: 'deck-1', position: [10.02, 5, 14.1], heading: 120, version: 7 },
      ],
    });
    expect(await screen.findByText('Last change: 4 viewpoints were added or changed')).toBeDefined();
    await user.click(screen.getAllByRole('button', { name: 'Undo' })[0]!);
    expect(await screen.findByText('Last change: The addition and change of 4 viewpoints was undone')).toBeDefined();
    expect(server.sentTo(undoEndpoint).map(({ path }) => path)).toEqual([
      '/api/changes/c2/undo',
      '/api/changes/c1/undo',
    ]);
  });

  it('reports the changed viewpoints if adding the others is refused', async () => {
    const { server, user, dialog } = await openFile('name;x;y;z;heading\nP2;50;5;14,1;0\nN2;21;5;14,1;90');
    server.on(nodesOfTour, { status: 409, body: {} });
    await user.click(await dialog.findByRole('checkbox', { name: /^Give the existing viewpoint the pose/ }));
    await user.click(dialog.getByRole('button', { name: 'Add 1, update 1' }));
    expect(await screen.findByText('Last change: Pump 2 was changed')).toBeDefined();
  });

  it('keeps the headings of updated viewpoints if the file has none', async () => {
    const { server, user, dialog } = await openFile('name;x;y;z\nN2;21;5;14,1');
    await user.click(await dialog.findByRole('checkbox', { name: /^Give the existing viewpoint the pose/ }));
    await user.click(dialog.getByRole('button', { name: 'Add 0, update 1' }));
    await waitFor(() => expect(server.sentTo(nodesEndpoint)).toHaveLength(1));
    expect(server.sentTo(nodesEndpoint)[0]?.body).toMatchObject({
      nodes: [{ uid: 'node-2', heading: 90, posedAt: null }],
    });
  });

  it('moves an updated viewpoint to the deck of its new height, after showing this change', async () => {
    const upper = { ...cellar, uid: 'deck-2', code: 'UD', name: 'Upper deck', elevation: 18 };
    const { server, user, dialog } = await openFile('name;x;y;z\nN1;11;5;14,1\nN2;20;5;19,6\nN3;30;5;14,1', rows, {
      ...content,
      decks: [cellar, upper],
      nodes: [buildNode(1, { deck: null }), buildNode(2), buildNode(3)],
    });
    await user.click(await dialog.findByRole('checkbox', { name: /^Give existing viewpoints the poses/ }));
    expect(dialog.getByText(/^2 existing viewpoints take poses of the file\. 2 of them change/)).toBeDefined();
    expect(dialog.getByText('1 viewpoint of the file exists already and stays as it is.')).toBeDefined();
    const table = within(dialog.getByRole('table', { name: 'Existing viewpoints that take a pose of the file' }));
    expect(table.getByText('Without a deck → Cellar deck')).toBeDefined();
    expect(table.getByText('Cellar deck → Upper deck')).toBeDefined();
    expect(table.getByText(/^14\.10* → 19\.60*$/)).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Add 0, update 2' }));
    await waitFor(() => expect(server.sentTo(nodesEndpoint)).toHaveLength(1));
    expect(server.sentTo(nodesEndpoint)[0]?.body).toMatchObject({
      nodes: [
        { uid: 'node-1', deck: 'deck-1' },
        { uid: 'node-2', deck: 'deck-2', position: [20, 5, 19.6] },
      ],
    });
  });

  it('keeps a chosen deck of an updated viewpoint at the same height', async () => {
    const upper = { ...cellar, uid: 'deck-2', code: 'UD', name: 'Upper deck', elevation: 18 };
    const { server, user, dialog } = await openFile('name;x;y;z\nN2;21;5;14,1', rows, {
      ...content,
      decks: [cellar, upper],
      nodes: [buildNode(2, { deck: 'deck-2' })],
    });
    await user.click(await dialog.findByRole('checkbox', { name: /^Give the existing viewpoint the pose/ }));
    await user.click(dialog.getByRole('button', { name: 'Add 0, update 1' }));
    await waitFor(() => expect(server.sentTo(nodesEndpoint)).toHaveLength(1));
    expect(server.sentTo(nodesEndpoint)[0]?.body).toMatchObject({ nodes: [{ uid: 'node-2', deck: 'deck-2' }] });
  });

  it('asks a question again if a new unit or column changes the rows that it is about', async () => {
    const { user, dialog } = await openFile(
      'name;x;y;z;other\nP1;10,02;5;14,1;one\nN2;21;5;14,1;3\nP3;one;5;14,1;3\nP4;50;5;14,1;two',
    );
    const unit = await dialog.findByRole('combobox', { name: 'Unit of the coordinates' });
    const update = () => dialog.getByRole('checkbox', { name: /^Give (the )?existing viewpoint/ });
    const skipRows = () => dialog.getByRole('checkbox', { name: /^Leave out/ });
    const skip = () => dialog.getByRole('radio', { name: 'Skip these rows' });
    for (const answer of [update(), skipRows(), skip()]) await user.click(answer);
    await user.selectOptions(unit, 'ft');
    expect([update(), skipRows()].map((box) => (box as HTMLInputElement).checked)).toEqual([false, true]);
    expect(dialog.queryByRole('radio', { name: 'Skip these rows' })).toBeNull();
    await user.selectOptions(unit, 'm');
    expect([update(), skipRows(), skip()].map((box) => (box as HTMLInputElement).checked)).toEqual([true, true, true]);
    await user.selectOptions(dialog.getByRole('combobox', { name: /^East/ }), 'other (one)');
    expect(skipRows()).toHaveProperty('checked', false);
  });

  it('gives updated viewpoints the time of their new pose', async () => {
    const { server, user, dialog } = await openFile('name;x;y;z;time\nN2;21;5;14,1;2126-06-01T09:10:15Z');
    await user.click(await dialog.findByRole('checkbox', { name: /^Give the existing viewpoint the pose/ }));
    await user.click(dialog.getByRole('button', { name: 'Add 0, update 1' }));
    await waitFor(() => expect(server.sentTo(nodesEndpoint)).toHaveLength(1));
    expect(server.sentTo(nodesEndpoint)[0]?.body).toMatchObject({ nodes: [{ posedAt: '2126-06-01T09:10:15.000Z' }] });
  });

  it('asks for the order of ambiguous dates, and names columns that are not used', async () => {
    const { server, user, dialog } = await openFile(
      'name;x;y;z;heading;pitch;time;remark\nA;1;2;3;0;5;12.10.2126 09:10:15;1',
    );
    expect(await dialog.findByText('Columns that are not used: remark.')).toBeDefined();
    const add = dialog.getByRole('button', { name: 'Add viewpoints' });
    await user.click(add);
    expect((await dialog.findByText('Choose the order of the dates.')).closest('[role=alert]')).not.toBeNull();
    expect(dialog.queryByText(/^Pitch and roll were read/)).toBeNull();
    await user.selectOptions(dialog.getByRole('combobox', { name: /^Order of the dates/ }), 'Day, month, year');
    expect(dialog.getByText(/^Pitch and roll were read: 1 camera is tilted/)).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Add 1 viewpoint' }));
    await waitFor(() => expect(server.sentTo(nodesOfTour)).toHaveLength(1));
    expect(server.sentTo(nodesOfTour)[0]?.body).toMatchObject({ nodes: [{ posedAt: '2126-10-12T07:10:15.000Z' }] });
  });

  it('shows pitch and roll of poses, and sends those of tilted cameras', async () => {
    const { server, user, dialog } = await openFile(
      'name;x;y;z;heading;pitch;roll\nP1;50;5;14,1;0;2,5;-1\nP2;60;5;14,1;0;0;0',
    );
    expect(await dialog.findByText(/^Pitch and roll were read: 1 camera is tilted/)).toBeDefined();
    expect(dialog.queryByText(/^Columns that are not used/)).toBeNull();
    const table = within(dialog.getByRole('table', { name: 'First viewpoints of the file' }));
    const [, first] = table.getAllByRole('row').map((row) => row.textContent);
    expect(first).toMatch(/2\.5-1$/);
    await user.click(dialog.getByRole('button', { name: 'Add 2 viewpoints' }));
    await waitFor(() => expect(server.sentTo(nodesOfTour)).toHaveLength(1));
    const { nodes } = server.sentTo(nodesOfTour)[0]!.body as { readonly nodes: readonly object[] };
    expect(nodes).toMatchObject([{ code: 'P1', posedTilt: { pitch: 2.5, roll: -1 } }, { code: 'P2' }]);
    expect(nodes[1]).not.toHaveProperty('posedTilt');
  });

  it('gives viewpoints the tilts of a file, and says that their pictures are not changed', async () => {
    const former = { pitch: 4, roll: 0 };
    const { server, user, dialog } = await openFile(
      'name;x;y;z;heading;pitch;roll\nN1;10;5;14,1;90;2,5;-1\nN2;20;5;14,1;90;0;0\nN3;30;5;14,1;90;4;0',
      rows,
      {
        ...content,
        nodes: [
          buildNode(1, { hasPanorama: true }),
          buildNode(2, { posedTilt: former, hasPanorama: true }),
          buildNode(3, { posedTilt: former }),
        ],
      },
    );
    await user.click(await dialog.findByRole('checkbox', { name: /^Give existing viewpoints .* 2 have other poses/ }));
    expect(dialog.getByText(/^1 picture that exists already is not changed/)).toBeDefined();
    const table = within(dialog.getByRole('table', { name: 'Existing viewpoints that take a pose of the file' }));
    for (const value of ['0 → 2.5', '0 → -1', '4 → 0']) expect(table.getByText(value)).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Add 0, update 2' }));
    await waitFor(() => expect(server.sentTo(nodesEndpoint)).toHaveLength(1));
    expect(server.sentTo(nodesEndpoint)[0]?.body).toMatchObject({
      nodes: [
        { uid: 'node-1', posedTilt: { pitch: 2.5, roll: -1 } },
        { uid: 'node-2', posedTilt: null },
      ],
    });
  });

  it.each([
    ['removes the tilt of a former pose with its heading', ';heading', ';80', { heading: 80, posedTilt: null }],
    ['keeps the heading and the tilt of a pose if the file has none', '', '', { heading: 90 }],
  ])('%s', async (_, header, cell, changes) => {
    const { server, user, dialog } = await openFile(`name;x;y;z${header}\nN2;21;5;14,1${cell}`, rows, {
      ...content,
      nodes: [buildNode(2, { posedTilt: { pitch: 4, roll: 0 } })],
    });
    await user.click(await dialog.findByRole('checkbox', { name: /^Give the existing viewpoint the pose/ }));
    expect(dialog.queryByText(/Pitch and roll were read|is not changed/)).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Add 0, update 1' }));
    await waitFor(() => expect(server.sentTo(nodesEndpoint)).toHaveLength(1));
    const [change] = (server.sentTo(nodesEndpoint)[0]!.body as { readonly nodes: readonly object[] }).nodes;
    expect(change).toMatchObject(changes);
    expect('posedTilt' in change!).toBe('posedTilt' in changes);
  });

  it('lets the person assign columns with unknown names', async () => {
    const { server, user, dialog } = await openFile('P 1;100;200;300\nP 2;101;200;300');
    expect(await dialog.findByText('Choose the columns of the name and the position.')).toBeDefined();
    for (const [field, column] of [
      ['Name or file', '1 (P 1)'],
      ['East', '2 (100)'],
      ['North', '3 (200)'],
      ['Up', '4 (300)'],
    ] as const)
      await user.selectOptions(dialog.getByRole('combobox', { name: new RegExp(`^${field}`) }), column);
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Unit of the coordinates' }), 'ft');
    await user.click(dialog.getByRole('button', { name: 'Add 2 viewpoints' }));
    await waitFor(() => expect(server.sentTo(nodesOfTour)).toHaveLength(1));
    expect(server.sentTo(nodesOfTour)[0]?.body).toMatchObject({
      nodes: [{ code: 'P-1', position: [30.48, 60.96, 91.44], heading: 0 }, { code: 'P-2' }],
    });
  });
});

describe('table of viewpoints', () => {
  it('edits a viewpoint with a decimal comma and spaces in French', async () => {
    const { server } = buildServer();
    const { user } = await setup({ server, language: 'fr' });
    await user.click(await screen.findByRole('button', { name: 'Modifier N2' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Modifier Pump 2' }));
    const east = dialog.getByRole('textbox', { name: /^Est/ });
    await user.clear(east);
    await user.type(east, '1\u00a0234,567');
    await user.click(dialog.getByRole('button', { name: 'Enregistrer' }));
    expect(await screen.findByText('Dernière modification : Pump 2 a été modifié')).toBeDefined();
    expect(screen.getAllByRole('button', { name: 'Annuler la modification' }).length).toBeGreaterThan(0);
    expect(server.sentTo(nodesEndpoint)[0]?.body).toMatchObject({ nodes: [{ position: [1234.567, 5, 14.1] }] });
  });

  it('shows and takes lengths in the unit of the site, and keeps unchanged ones exactly', async () => {
    const { frame } = defaultSiteRecord('UTC');
    const exact = 14.123456;
    const { server } = buildServer({ ...content, nodes: [buildNode(1, { position: [30.48, 60.96, exact] })] });
    server.on('GET /api/locations', {
      status: 200,
      body: [buildSite('HB', { frame: { ...frame, unit: 'ft' } }), ...rows.slice(1)],
    });
    const deckEndpoint = 'PUT /api/tour-content/:location/decks/:deck';
    server.on(deckEndpoint, changedReply);
    const { user } = await setup({ server });
    expect(await screen.findByRole('columnheader', { name: /^East \(ft\)/ })).toBeDefined();
    expect(screen.getAllByRole('gridcell').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^100(?!\d)/), expect.stringMatching(/^200(?!\d)/)]),
    );
    await user.click(screen.getByRole('button', { name: 'Edit N1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Pump 1' }));
    const east = dialog.getByRole<HTMLInputElement>('textbox', { name: 'East (ft)' });
    expect([east.value, dialog.getByRole<HTMLInputElement>('textbox', { name: 'Up (ft)' }).value]).toEqual([
      '100',
      '46.3368',
    ]);
    await user.clear(east);
    await user.type(east, '101');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(server.sentTo(nodesEndpoint)).toHaveLength(1));
    expect(server.sentTo(nodesEndpoint)[0]?.body).toMatchObject({ nodes: [{ position: [30.7848, 60.96, exact] }] });
    // The dialog hides the rest of the page until it is closed.
    const decks = within(await screen.findByRole('region', { name: 'Decks' }));
    expect(decks.getByText('41.01 ft')).toBeDefined();
    await user.click(decks.getByRole('button', { name: 'Edit' }));
    const deck = within(await screen.findByRole('dialog', { name: 'Edit Cellar deck' }));
    const elevation = deck.getByRole<HTMLInputElement>('textbox', { name: /^Elevation of the floor \(ft\)/ });
    await user.clear(elevation);
    await user.type(elevation, '40');
    await user.click(deck.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(server.sentTo(deckEndpoint)[0]?.body).toMatchObject({ elevation: 12.192 }));
  });

  it('compares viewpoints with a model only if there is one', async () => {
    const { server, state } = buildServer({ ...content, hasSurfaces: false });
    const { unmount } = await setup({ server });
    expect(await screen.findByText(/^There is no model or scan of this location/)).toBeDefined();
    expect(screen.queryByText(/agrees? with the model/)).toBeNull();
    unmount();
    state.content = { ...content, hasSurfaces: true };
    await setup({ server });
    expect(await screen.findByText('0 of 1 viewpoint agrees with the model within 0.5°.')).toBeDefined();
  });

  it('keeps the input of a form after a conflict', async () => {
    const { server } = buildServer();
    server.on(nodesEndpoint, refuse(409, 'E007', { current: buildNode(2, { heading: 45, version: 9 }) }));
    const { user } = await setup({ server });
    await user.click(await screen.findByRole('button', { name: 'Edit N2' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Pump 2' }));
    await user.type(dialog.getByRole('textbox', { name: /^Name/ }), ' A');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('Heading (°): 45')).toBeDefined();
    server.on(nodesEndpoint, changedReply);
    await user.click(dialog.getByRole('button', { name: 'Save my version' }));
    expect(await screen.findByText('Last change: Pump 2 A was changed')).toBeDefined();
    expect(server.sentTo(nodesEndpoint)[1]?.body).toMatchObject({ nodes: [{ name: 'Pump 2 A', version: 9 }] });
  });

  it('reports that another person has deleted the viewpoint', async () => {
    const { server, state } = buildServer();
    server.on(nodesEndpoint, () => {
      state.content = {
        ...content,
        nodes: content.nodes.filter(({ uid }) => uid !== 'node-2'),
        links: [],
        alignments: [],
        hasSurfaces: true,
      };
      return refuse(404, 'E004');
    });
    const { user } = await setup({ server });
    await user.click(await screen.findByRole('button', { name: 'Edit N2' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Pump 2' }));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/It is no longer there/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Edit N2' })).toBeNull();
  });

  it('draws a selected viewpoint over the others', async () => {
    const { user } = await setup({ server: buildServer().server });
    await user.click(await screen.findByRole('checkbox', { name: 'Select N1' }));
    const codes = [...document.querySelectorAll('[role=application] svg text')].map(({ textContent }) => textContent);
    expect(codes).toContain('N2');
    expect(codes.at(-1)).toBe('N1');
  });

  it('[DAT-02] edits several viewpoints together, and deletes them after a confirmation that lists dependent contents', async () => {
    const { server } = buildServer();
    server.on('POST /api/tour-content/:location/tours/:tour/nodes/deletion', changedReply);
    const { user } = await setup({ server });
    await user.click(await screen.findByRole('checkbox', { name: 'Select N1' }));
    await user.click(screen.getByRole('checkbox', { name: 'Select N2' }));
    await user.click(screen.getByRole('button', { name: 'Edit together' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit 2 viewpoints' }));
    const up = dialog.getByRole('textbox', { name: /^Up/ });
    await user.clear(up);
    await user.type(up, '-0.5');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Last change: 2 viewpoints were changed')).toBeDefined();
    expect(server.sentTo(nodesEndpoint)[0]?.body).toMatchObject({
      nodes: [
        { uid: 'node-1', position: [10, 5, 13.6], heading: 90 },
        { uid: 'node-2', position: [20, 5, 13.6], heading: 90 },
      ],
    });
    const selection = within(await screen.findByRole('region', { name: 'N1 · Pump 1, N2 · Pump 2' }));
    await user.click(selection.getByRole('button', { name: 'Delete' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete 2 viewpoints?' }));
    expect(question.getByText(/Their panoramas, their links and the positions of tags/)).toBeDefined();
    await user.click(question.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Last change: 2 viewpoints were deleted')).toBeDefined();
    expect(server.sentTo('POST /api/tour-content/HB-M10/tours/tour-1/nodes/deletion')[0]?.body).toEqual({
      nodes: [
        { uid: 'node-1', version: 8 },
        { uid: 'node-2', version: 8 },
      ],
    });
  });

  it('stays usable with 2,000 viewpoints', async () => {
    const nodes = Array.from({ length: 2000 }, (_, index) =>
      buildNode(index + 1, { position: [index % 50, Math.floor(index / 50), 14.1] }),
    );
    const { server } = buildServer({ ...content, nodes });
    const { user } = await setup({ server });
    await user.type(await screen.findByRole('searchbox', { name: 'Search viewpoints' }), 'N1999');
    expect(await screen.findByRole('button', { name: 'Edit N1999' })).toBeDefined();
    await user.clear(screen.getByRole('searchbox', { name: 'Search viewpoints' }));
    expect(screen.getAllByRole('row').length).toBeLessThan(60);
    act(() => screen.getByRole('application').focus());
    await user.keyboard('{Control>}a{/Control}{ArrowRight}');
    expect(
      await screen.findByText('Last change: 2,000 viewpoints were moved', undefined, { timeout: 5000 }),
    ).toBeDefined();
    expect(server.sentTo(nodesEndpoint)).toHaveLength(4);
  });
});

describe('links', () => {
  it('[DAT-02] links two selected viewpoints, and removes the link of two others', async () => {
    const { server } = buildServer();
    server.on(linksEndpoint, changedReply);
    const { user } = await setup({ server });
    await user.click(await screen.findByRole('checkbox', { name: 'Select N3' }));
    await user.click(screen.getByRole('checkbox', { name: 'Select N2' }));
    expect(await screen.findByText('These viewpoints are not linked.')).toBeDefined();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Way' }), 'stair');
    await user.click(screen.getByRole('button', { name: 'Link' }));
    expect(await screen.findByText('Last change: 1 link was saved')).toBeDefined();
    await user.click(screen.getByRole('checkbox', { name: 'Select N3' }));
    await user.click(await screen.findByRole('button', { name: 'Remove the link to N1 · Pump 1' }));
    expect(await screen.findByText('Last change: 1 link was removed')).toBeDefined();
    expect(server.sentTo(linksEndpoint).map(({ body }) => body)).toEqual([
      { saved: [{ a: 'node-2', b: 'node-3', kind: 'STAIR' }], removed: [] },
      { saved: [], removed: [{ a: 'node-1', b: 'node-2' }] },
    ]);
  });

  it('[DAT-02] links a viewpoint to a viewpoint on another deck', async () => {
    const upper = { ...cellar, uid: 'deck-2', code: 'MD', name: 'Main deck', location: 'HB-M10-MD', elevation: 20 };
    const { server } = buildServer({
      ...content,
      decks: [upper, cellar],
      nodes: [...content.nodes, buildNode(4, { deck: 'deck-2' })],
    });
    server.on(linksEndpoint, changedReply);
    const { user } = await setup({ server });
    await user.click(await screen.findByRole('checkbox', { name: 'Select N1' }));
    expect(screen.queryByRole('checkbox', { name: 'Select N4' })).toBeNull();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Link to' }), 'N4 · Pump 4');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Way' }), 'ladder');
    await user.click(screen.getByRole('button', { name: 'Link' }));
    await waitFor(() =>
      expect(server.sentTo(linksEndpoint).map(({ body }) => body)).toEqual([
        { saved: [{ a: 'node-1', b: 'node-4', kind: 'LADDER' }], removed: [] },
      ]),
    );
    await user.selectOptions(screen.getByRole('combobox', { name: 'Deck' }), 'Main deck');
    expect(await screen.findByRole('checkbox', { name: 'Select N4' })).toBeDefined();
    expect(screen.queryByRole('checkbox', { name: 'Select N1' })).toBeNull();
  });

  it('proposes links, shows them on the plan, and saves the checked ones by one request', async () => {
    const { server } = buildServer();
    server
      .on('GET /api/tour-content/:location/tours/:tour/link-proposals', {
        status: 200,
        body: {
          links: [
            { a: 'node-2', b: 'node-3', kind: 'WALK' },
            { a: 'node-1', b: 'node-3', kind: 'WALK' },
          ],
          blocked: 3,
          unknown: 1,
        },
      })
      .on(linksEndpoint, changedReply);
    const { user, container } = await setup({ server });
    await user.click(await screen.findByRole('button', { name: 'Propose links' }));
    const panel = within(await screen.findByRole('region', { name: 'Propose links' }));
    expect(panel.getByRole<HTMLInputElement>('textbox', { name: /^Largest distance/ }).value).toBe('12');
    await user.click(panel.getByRole('button', { name: 'Find' }));
    expect((await panel.findByText(/^2 links proposed on this deck, dashed on the plan/)).textContent).toMatch(
      /3 pairs of the tour were left out.* Of 1 link of the tour it is not known/,
    );
    expect(container.querySelectorAll('[data-link=proposed]')).toHaveLength(2);
    expect(server.sentTo(linksEndpoint)).toHaveLength(0);
    await user.click(panel.getByRole('checkbox', { name: 'Link N1 and N3' }));
    await user.click(panel.getByRole('button', { name: 'Save 1 link' }));
    expect(await screen.findByText('Last change: 1 link was saved')).toBeDefined();
    expect(server.sentTo(linksEndpoint).map(({ body }) => body)).toEqual([
      { saved: [{ a: 'node-2', b: 'node-3', kind: 'WALK' }], removed: [] },
    ]);
    expect(container.querySelectorAll('[data-link=proposed]')).toHaveLength(0);
  });
});
