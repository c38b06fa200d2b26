import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { BrowserStorage, Notifications } from '#core/web';
import { buildSite, FakeServer, ConnectionLostError, renderApp, type FakeHandler } from '#core/testing/web';
import { decodeViewState } from '#core';
import type { Annotation, AnnotationInput } from '#plugins/annotate';
import { locationsWeb } from '#plugins/locations/testing/web';
import { buildTour, FakeEngine, createServicesWith, tourWeb } from '#plugins/tour/testing/web';
import annotateWeb from '../../index.ts';
import { buildPage } from '../../../testing/web/build-page.ts';
import { FakeSurface } from '../../../testing/web/fake-surface.ts';
import { clickOn, stubResizeObserver, buildSurfaceModule } from '../../../testing/web/surface-module.tsx';

stubResizeObserver();

let surface: FakeSurface;
beforeEach(() => {
  surface = new FakeSurface();
});
const fixture = buildSurfaceModule(() => surface);

const buildLocation = (uid: string, parent: string, locationType: string) => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType,
});
const replyWithSaved: FakeHandler = ({ path, body }) => {
  const input = body as AnnotationInput;
  return {
    status: 200,
    body: {
      ...input,
      uid: path.split('/').at(-1) ?? '',
      location: 'lower',
      version: input.version + 1,
      author: 'Ann Lee',
      own: true,
      editable: true,
      createdAt: '2026-11-21T09:00:00Z',
      updatedAt: '2026-11-21T09:00:00Z',
      comments: [],
    } satisfies Annotation,
  };
};
const putPath = 'PUT /api/annotate/:location/annotations/:uid';
const deletePath = 'DELETE /api/annotate/:location/annotations/:uid';
const commentPath = 'PUT /api/annotate/:location/annotations/:uid/comments/:comment';

const buildAnnotation = (changes: Partial<Annotation> = {}): Annotation => ({
  uid: '00000000-0000-4000-8000-000000000001',
  location: 'lower',
  kind: 'ARROW',
  name: 'Leak',
  text: 'Drips',
  temperature: null,
  status: 'OPEN',
  tour: 'tour-T1',
  node: 'node-N1',
  view: 'v=1&module=fixture.scan&node=N1&pan=10&tilt=0&fov=60&pos=0,0,1.7',
  shared: true,
  version: 4,
  author: 'Ben Osei',
  own: false,
  editable: false,
  createdAt: '2026-11-20T09:00:00Z',
  updatedAt: '2026-11-20T09:00:00Z',
  comments: [],
  points: [
    { point: [0, 5, 1], sigma: null, source: 'MODEL', edge: false },
    { point: [0, 5, 2], sigma: null, source: 'MODEL', edge: false },
  ],
  ...changes,
});

async function setup({
  annotations = [],
  put = replyWithSaved,
  comment = ({ path, body }) => ({
    status: 200,
    body: {
      uid: path.split('/').at(-1) ?? '',
      text: (body as { text: string }).text,
      author: 'Ann Lee',
      createdAt: '2026-11-21T09:00:00Z',
    },
  }),
  query = '',
}: {
  readonly annotations?: readonly Annotation[];
  readonly put?: FakeHandler;
  readonly comment?: FakeHandler;
  readonly query?: string;
} = {}) {
  const server = new FakeServer()
    .on('GET /api/locations', {
      status: 200,
      body: [
        buildSite('site', { timeZone: 'Asia/Kolkata', verticalDatum: 'NN2000' }),
        buildLocation('unit', 'site', 'PLATFORM_UNIT'),
        buildLocation('lower', 'unit', 'LOC_LEVEL'),
      ],
    })
    .on('GET /api/tour/:location', { status: 200, body: buildTour() })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} })
    .on('GET /api/annotate/:location/measurements', { status: 200, body: buildPage([]) })
    .on('GET /api/annotate/:location/annotations', { status: 200, body: buildPage(annotations) })
    .on(deletePath, { status: 200, body: {} })
    .on(commentPath, comment)
    .on(putPath, put);
  const renderedApp = await renderApp({
    plugins: [
      { id: 'tour', settings: {}, web: { ...tourWeb, services: createServicesWith(new FakeEngine()) }, bridges: [] },
      { id: 'locations', settings: { alphabetical: true }, web: locationsWeb, bridges: [] },
      fixture,
      { id: 'annotate', settings: {}, web: annotateWeb, bridges: [] },
    ],
    server,
    url: `/console/tour/unit${query}`,
  });
  await screen.findByRole('button', { name: 'Annotate' });
  return { ...renderedApp, storage: renderedApp.core.host.root.get(BrowserStorage) };
}
type User = Awaited<ReturnType<typeof setup>>['user'];

async function chooseTool(user: User, name: string) {
  await user.click(screen.getByRole('button', { name: 'Annotate' }));
  await user.click(await screen.findByRole('menuitemradio', { name }));
  return screen.findByRole('group', { name });
}
const openList = async (user: User) => {
  await user.click(screen.getByRole('button', { name: 'Annotate' }));
  await user.click(await screen.findByRole('menuitem', { name: /Show annotations/ }));
};
const click = (x: number, y: number) => clickOn(surface, x, y);
const toWallPixel = (x: number, z: number): readonly [number, number] => [
  400 + (x / 5) * 400,
  300 - ((z - 1.7) / 5) * 400,
];
const sentInputs = (server: FakeServer) => server.sentTo(putPath).map(({ body }) => body as AnnotationInput);
const roundPoints = ({ points }: AnnotationInput) =>
  points.map(({ point }) => point.map((value) => Math.round(value * 1e3) / 1e3 + 0));
const findPanel = () => screen.findByRole('complementary', { name: 'Annotations' });
/** Opens the list by the button of the status bar. */
const openListFromBar = async (user: User) => {
  await user.click(await screen.findByRole('button', { name: /^Show annotations/ }));
  return findPanel();
};

describe('annotating', () => {
  it.each([
    ['Coordinates', [[-2, 1]], [[-2, 5, 1]]],
    [
      'Distance',
      [
        [-2, 1],
        [0, 1],
      ],
      [
        [-2, 5, 1],
        [0, 5, 1],
      ],
    ],
    [
      'Arrow',
      [
        [-2, 1],
        [-1, 2],
      ],
      [
        [-2, 5, 1],
        [-1, 5, 2],
      ],
    ],
  ] as const)('[TOUR-09] places %s at the clicked points and saves the entered text', async (name, clicks, points) => {
    const { user, server } = await setup();
    const bar = await chooseTool(user, name);
    for (const [x, z] of clicks) await click(...toWallPixel(x, z));
    await user.type(within(bar).getByRole('textbox', { name: 'Text' }), 'Rust{Enter}');
    await waitFor(() => expect(sentInputs(server)).toHaveLength(1));
    expect(sentInputs(server)[0]).toMatchObject({
      name: `${name} 1`,
      text: 'Rust',
      temperature: null,
      status: 'OPEN',
      tour: 'tour-T1',
      node: 'node-N1',
      shared: true,
      version: 0,
    });
    expect(roundPoints(sentInputs(server)[0]!)).toEqual(points);
    expect((await openListFromBar(user)).textContent).toContain('Rust');
    expect(screen.getByTestId('labels').textContent).toContain('Rust');
  });

  it.each(['Rectangle', 'Ellipse'])('[TOUR-09] places the corners of a %s in space', async (name) => {
    const { user, server } = await setup({
      query: '?v=1&module=fixture.scan&node=N1&pan=0&tilt=0&fov=60&pos=0,0,1.7',
    });
    const bar = await chooseTool(user, name);
    // The camera faces the wall, so the rectangle lies in the plane of the wall.
    await click(...toWallPixel(-1, 2.2));
    await click(...toWallPixel(1, 1.2));
    await user.click(within(bar).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sentInputs(server)).toHaveLength(1));
    expect(roundPoints(sentInputs(server)[0]!)).toEqual([
      [-1, 5, 2.2],
      [1, 5, 2.2],
      [1, 5, 1.2],
      [-1, 5, 1.2],
    ]);
    expect(
      screen.getAllByTestId('annotation-overlay')[0]!.querySelector('[data-kind] path')?.getAttribute('d'),
    ).toMatch(/Z$/);
  });

  it('[TOUR-09] requires a value for a temperature and a text for a text label', async () => {
    const { user, server } = await setup();
    let bar = await chooseTool(user, 'Temperature');
    await click(...toWallPixel(-2, 1));
    const save = () => within(bar).getByRole('button', { name: 'Save' }) as HTMLButtonElement;
    expect(save().disabled).toBe(true);
    await user.type(within(bar).getByRole('textbox', { name: 'Temperature in °C' }), '-300');
    expect(save().disabled).toBe(true);
    await user.clear(within(bar).getByRole('textbox', { name: 'Temperature in °C' }));
    await user.type(within(bar).getByRole('textbox', { name: 'Temperature in °C' }), '84,5');
    await user.click(save());
    await waitFor(() => expect(sentInputs(server)[0]).toMatchObject({ kind: 'TEMPERATURE', temperature: 84.5 }));
    expect((await openListFromBar(user)).textContent).toContain('84.5\u00a0°C');
    await user.click(within(bar).getByRole('button', { name: 'Stop annotating' }));
    bar = await chooseTool(user, 'Text label');
    await click(...toWallPixel(-1, 1));
    expect(save().disabled).toBe(true);
    await user.type(within(bar).getByRole('textbox', { name: 'Text' }), 'Gauge unreadable');
    await user.click(save());
    await waitFor(() => expect(sentInputs(server)[1]).toMatchObject({ kind: 'TEXT_LABEL', text: 'Gauge unreadable' }));
  });

  it('[TOUR-09] reports a click without a surface, steps back on Escape and ends when measuring starts', async () => {
    const { user } = await setup();
    const bar = await chooseTool(user, 'Arrow');
    await click(400, 20);
    expect(within(bar).getByRole('status').textContent).toBe('Nothing can be placed here: choose a surface');
    await click(...toWallPixel(-2, 1));
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(within(bar).getByRole('status').textContent).toBe('Click where the arrow starts');
    await user.click(screen.getByRole('button', { name: 'Measure' }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Height' }));
    expect(screen.queryByRole('group', { name: 'Arrow' })).toBeNull();
    expect(screen.getByRole('group', { name: 'Height' })).toBeDefined();
  });

  it('[TOUR-09] asks before a reload until the placed annotation is saved', async () => {
    const { user } = await setup();
    const isReloadAllowed = (): boolean => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const bar = await chooseTool(user, 'Coordinates');
    await click(...toWallPixel(-2, 1));
    expect(isReloadAllowed()).toBe(false);
    await user.click(within(bar).getByRole('button', { name: 'Save' }));
    expect(isReloadAllowed()).toBe(true);
  });

  it('[TOUR-09] does not ask before a reload after the annotation is discarded', async () => {
    const { user } = await setup();
    const isReloadAllowed = (): boolean => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    const bar = await chooseTool(user, 'Coordinates');
    await click(...toWallPixel(-2, 1));
    expect(isReloadAllowed()).toBe(false);
    await user.click(within(bar).getByRole('button', { name: 'Cancel' }));
    expect(isReloadAllowed()).toBe(true);
    await click(...toWallPixel(-2, 1));
    expect(isReloadAllowed()).toBe(false);
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(isReloadAllowed()).toBe(true);
  });

  it('[TOUR-09] returns the focus to the picture after a text that was entered by keyboard', async () => {
    const { user } = await setup();
    const button = screen.getByRole('button', { name: 'Annotate' });
    act(() => button.focus());
    await user.keyboard('{Enter}');
    const item = await screen.findByRole('menuitemradio', { name: 'Coordinates' });
    act(() => item.focus());
    await user.keyboard('{Enter}');
    const bar = within(await screen.findByRole('group', { name: 'Coordinates' }));
    await waitFor(() => expect(document.activeElement).toBe(surface.host));
    expect(bar.getByRole('status').textContent).toBe('Arrow keys move the crosshair, Enter sets a point');
    await user.keyboard('{Enter}');
    await user.type(await bar.findByRole('textbox', { name: 'Text' }), 'Rust{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(surface.host));
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(button);
  });

  it('[TOUR-09] keeps an unsent annotation while the server is unreachable', async () => {
    const replies: FakeHandler[] = [
      () => {
        throw new ConnectionLostError();
      },
      () => ({ status: 503, body: { code: 'E000', message: 'No.', reference: 'r' } }),
    ];
    const { user, server, storage } = await setup({ put: (request) => (replies.shift() ?? replyWithSaved)(request) });
    const bar = await chooseTool(user, 'Coordinates');
    await click(...toWallPixel(-2, 1));
    await user.type(within(bar).getByRole('textbox', { name: 'Text' }), 'Here{Enter}');
    expect(await screen.findByRole('button', { name: '1 item not saved yet' })).toBeDefined();
    await openListFromBar(user);
    await user.click(screen.getByRole('button', { name: 'Save now' }));
    await waitFor(() => expect(sentInputs(server)).toHaveLength(2));
    expect(storage.get<readonly unknown[]>('annotate.annotationOutbox')).toHaveLength(1);
    await act(async () => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(screen.queryByText(/not saved yet/i)).toBeNull());
    expect(storage.get('annotate.annotationOutbox')).toBeUndefined();
    expect(new Set(server.sentTo(putPath).map(({ path }) => path)).size).toBe(1);
  });

  it("[TOUR-09] marks another person's shared annotation as done, and offers the choice on a conflict", async () => {
    const othersAnnotation = buildAnnotation({ name: 'Leak, urgent', version: 5, editable: true });
    const { user, server } = await setup({
      annotations: [buildAnnotation({ editable: true })],
      put: (request) =>
        (request.body as AnnotationInput).version === 5
          ? replyWithSaved(request)
          : { status: 409, body: { code: 'E007', message: 'Changed.', reference: 'r', current: othersAnnotation } },
    });
    await openList(user);
    expect(screen.queryByRole('switch', { name: 'Shared' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Mark as done' }));
    expect(await screen.findByText('Someone else has saved it as “Leak, urgent”.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Keep mine' }));
    await waitFor(() => expect(sentInputs(server).at(-1)).toMatchObject({ status: 'DONE', version: 5 }));
    expect(await screen.findByRole('button', { name: 'Reopen' })).toBeDefined();
  });

  it("[TOUR-09] offers only comments on another person's annotation, and shows who can edit it", async () => {
    const { user } = await setup({ annotations: [buildAnnotation()] });
    await openList(user);
    expect(
      screen.getByText('Only Ben Osei and people with the configure right can edit it. You can comment.'),
    ).toBeDefined();
    for (const name of ['Mark as done', 'Edit', 'Delete']) expect(screen.queryByRole('button', { name })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Leak' }));
    expect(screen.getByRole('textbox', { name: 'Write a comment' })).toBeDefined();
  });

  it('[TOUR-09] applies the filter to the list and to the overlay', async () => {
    const { user } = await setup({
      annotations: [
        buildAnnotation(),
        buildAnnotation({
          uid: '00000000-0000-4000-8000-000000000002',
          name: 'Rust',
          text: 'Handrail',
          status: 'DONE',
          own: true,
          editable: true,
        }),
      ],
    });
    await openList(user);
    const names = () => screen.queryAllByRole('button', { name: /^(Leak|Rust)$/ }).map((button) => button.textContent);
    const overlay = () => screen.getByTestId('labels').textContent;
    expect(names()).toEqual(['Leak', 'Rust']);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'OPEN');
    expect([names(), overlay()]).toEqual([['Leak'], 'Drips']);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'ALL');
    await user.click(screen.getByRole('checkbox', { name: 'Only mine' }));
    expect([names(), overlay()]).toEqual([['Rust'], '✓ Handrail']);
    await user.type(screen.getByRole('searchbox', { name: 'Search annotations' }), 'nothing');
    expect(screen.getByText('No annotations match the filter')).toBeDefined();
  });

  it('[TOUR-09] selects the annotation in the URL', async () => {
    const { user } = await setup({
      annotations: [buildAnnotation()],
      query:
        '?v=1&module=fixture.scan&node=N1&pan=10&tilt=0&fov=60&pos=0,0,1.7&l.annotation=00000000-0000-4000-8000-000000000001',
    });
    const panel = await findPanel();
    expect(panel.querySelector('[aria-current]')?.textContent).toContain('Leak');
    expect(decodeViewState(window.location.search)?.layers).toEqual({
      annotation: '00000000-0000-4000-8000-000000000001',
    });
    await user.click(screen.getByRole('button', { name: 'Close annotations' }));
    expect(screen.queryByRole('complementary', { name: 'Annotations' })).toBeNull();
  });

  it("[TOUR-09] shows dates in the site's time zone and the vertical datum of heights", async () => {
    const comment = { uid: 'c1', text: 'Seen', author: 'Ann Lee', createdAt: '2026-06-21T20:00:00Z' };
    const { user } = await setup({
      annotations: [
        buildAnnotation({ kind: 'CORDINATES', comments: [comment] }),
        buildAnnotation({ uid: 'arrow', name: 'Arrow' }),
      ],
    });
    await openList(user);
    const [coordinates, arrow] = within(await findPanel()).getAllByRole('listitem');
    expect(coordinates!.textContent).toMatch(/Nov 20, 2026, 02:30 PM GMT\+5:30/);
    expect([/Vertical datum NN2000/.test(coordinates!.textContent), /datum/.test(arrow!.textContent)]).toEqual([
      true,
      false,
    ]);
    await user.click(within(coordinates!).getByRole('button', { name: /comment/i }));
    expect(await screen.findByText(/Ann Lee.*Jun 22, 2026, 01:30 AM GMT\+5:30/)).toBeDefined();
  });

  it('[TOUR-09] keeps an unsent comment as a draft and sends it once', async () => {
    let offline = true;
    const { user, server, storage } = await setup({
      annotations: [buildAnnotation()],
      comment: ({ path, body }) => {
        if (offline) throw new ConnectionLostError();
        return {
          status: 200,
          body: {
            uid: path.split('/').at(-1) ?? '',
            text: (body as { text: string }).text,
            author: 'Ann Lee',
            createdAt: '2026-11-21T09:00:00Z',
          },
        };
      },
    });
    await openList(user);
    await user.click(screen.getByRole('button', { name: 'Comment' }));
    await user.type(screen.getByRole('textbox', { name: 'Write a comment' }), 'Gasket ordered');
    await user.click(screen.getByRole('button', { name: 'Send comment' }));
    expect((await screen.findByRole('alert')).textContent).toContain('It stays here');
    expect(storage.get('annotate.comment.00000000-0000-4000-8000-000000000001')).toMatchObject({
      text: 'Gasket ordered',
    });
    offline = false;
    await user.click(screen.getByRole('button', { name: 'Send comment' }));
    expect(await screen.findByText('Gasket ordered', { selector: 'p' })).toBeDefined();
    expect(storage.get('annotate.comment.00000000-0000-4000-8000-000000000001')).toBeUndefined();
    expect(new Set(server.sentTo(commentPath).map(({ path }) => path)).size).toBe(1);
  });

  it('[TOUR-09] shows an empty state and restores deleted annotations', async () => {
    const { user, server } = await setup();
    await openList(user);
    expect(screen.getByText('No annotations yet')).toBeDefined();
    const bar = await chooseTool(user, 'Coordinates');
    await click(...toWallPixel(-2, 1));
    await user.click(within(bar).getByRole('button', { name: 'Save' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(server.sentTo(deletePath)).toHaveLength(1));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: 'Coordinates 1' })).toBeDefined();
    await waitFor(() => expect(sentInputs(server)).toHaveLength(2));
  });

  it('[TOUR-23] reports a link whose annotation does not exist', async () => {
    const view = 'v=1&module=fixture.scan&node=N1&pan=10&tilt=0&fov=60&pos=0,0,1.7';
    const { core } = await setup({ query: `?${view}&l.annotation=00000000-0000-4000-8000-000000000009` });
    await waitFor(() =>
      expect(core.host.root.get(Notifications).notices).toMatchObject([{ values: { parts: 'annotation' } }]),
    );
  });
});
