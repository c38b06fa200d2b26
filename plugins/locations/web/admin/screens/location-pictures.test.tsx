import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LocationRow } from '#core';
import {
  buildSite,
  ConnectionLostError,
  FakeServer,
  pretendSize,
  renderScreen,
  type FakeReply,
  type WebSetup,
} from '#core/testing/web';
import { UnsavedWork, type InstalledPlugin } from '#core/web';
import type { Corner, LocationPictures } from '../../../contract/index.ts';
import locations from '../../index.ts';
import SitesScreen from './sites-screen.tsx';

const buildUnit = (uid: string, name: string): LocationRow => ({
  uid,
  name,
  label: '',
  parent: 'HB',
  root: 'HB',
  locationType: 'PLATFORM_UNIT',
  version: 1,
});
const rows: readonly LocationRow[] = [
  { ...buildSite('HB'), name: 'Heron Bay', label: '' },
  buildUnit('HB-M10', 'Module M10'),
  buildUnit('HB-M20', 'Module M20'),
];
const plugins: readonly InstalledPlugin[] = [
  { id: 'locations', settings: { alphabetical: false }, web: locations, bridges: [] },
];
const triangle: Corner[] = [
  [0.1, 0.1],
  [0.4, 0.1],
  [0.1, 0.5],
];
const buildPictures = (changes: Partial<LocationPictures> = {}): LocationPictures => ({
  location: 'HB',
  icon: null,
  navigationImage: '/api/files/image-1',
  areas: [{ location: 'HB-M10', polygon: triangle }],
  version: 4,
  ...changes,
});
const reply = (change: string, pictures: LocationPictures): FakeReply => ({ status: 200, body: { change, pictures } });
const conflict = (current: LocationPictures): FakeReply => ({
  status: 409,
  body: { code: 'E007', message: 'Refused.', reference: 'r1', current },
});
const areasEndpoint = 'PUT /api/location-pictures/:location/areas';
const buildServer = (pictures: readonly LocationPictures[] = [buildPictures()]) =>
  new FakeServer()
    .on('GET /api/locations', { status: 200, body: rows })
    .on('GET /api/location-pictures', { status: 200, body: pictures });
const setup = (options: WebSetup = {}) =>
  renderScreen(<SitesScreen />, {
    plugins,
    server: buildServer(),
    url: '/admin/console/sites?location=HB',
    ...options,
  });
const findCard = async () => within(await screen.findByRole('region', { name: 'Pictures' }));
const clickAt = (element: HTMLElement, x: number, y: number) =>
  fireEvent.click(element, { clientX: x * 1000, clientY: y * 500 });

let restoreSize: () => void;
beforeEach(() => {
  restoreSize = pretendSize(1000, 500);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1000, 500));
});
afterEach(() => {
  restoreSize();
  vi.restoreAllMocks();
});

type User = Awaited<ReturnType<typeof setup>>['user'];

async function startDrawing(user: User, name: string): Promise<HTMLElement> {
  await user.click(await screen.findByRole('combobox', { name: 'Location without a hotspot' }));
  await user.click(await screen.findByRole('option', { name }));
  await user.click(screen.getByRole('button', { name: 'Draw' }));
  return screen.findByRole('application', { name: `Outline of ${name}` });
}

describe('pictures of a location', () => {
  it('uploads an icon, and undoes it', async () => {
    const withIcon = buildPictures({ icon: '/api/files/icon-1', version: 5 });
    const server = buildServer()
      .on('POST /api/location-pictures/:location/images/:kind', reply('p1', withIcon))
      .on('POST /api/changes/:change/undo', { status: 200, body: { change: 'p2' } });
    const { user } = await setup({ server });
    const icon = within(await screen.findByRole('region', { name: 'Icon' }));
    expect(icon.getByText('No picture yet')).toBeDefined();
    await user.upload(icon.getByTestId('file-input'), new File(['x'], 'icon.png', { type: 'image/png' }));
    expect((await icon.findByRole('img', { name: 'Icon of Heron Bay' })).getAttribute('src')).toBe('/api/files/icon-1');
    const request = server.sentTo('POST /api/location-pictures/HB/images/icon')[0]!;
    expect(request.query.get('version')).toBe('4');
    expect(((request.body as FormData).get('file') as File).name).toBe('icon.png');
    const line = (await screen.findByText('Last change: The icon of Heron Bay was saved')).parentElement!;
    await user.click(within(line).getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Last change: The change of the icon of Heron Bay was undone')).toBeDefined();
    expect(icon.getByText('No picture yet')).toBeDefined();
    await user.click(within(line).getByRole('button', { name: 'Redo' }));
    expect(server.sentTo('POST /api/changes/p2/undo')).toHaveLength(1);
  });

  it('[ADM-10] crops a picture of another size in the browser, and uploads it in the required size', async () => {
    const drawCalls: unknown[][] = [];
    vi.stubGlobal('createImageBitmap', async () => ({ width: 1000, height: 500 }));
    onTestFinished(() => void vi.unstubAllGlobals());
    const context = {
      clearRect: () => undefined,
      drawImage: (...values: unknown[]) => drawCalls.push(values.slice(1)),
    };
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((callback, type) =>
      callback(new Blob(['p'], { type: type! })),
    );
    const server = buildServer().on(
      'POST /api/location-pictures/:location/images/:kind',
      reply('p1', buildPictures({ icon: '/api/files/icon-1', version: 5 })),
    );
    const { user } = await setup({ server });
    const icon = within(await screen.findByRole('region', { name: 'Icon' }));
    await user.upload(icon.getByTestId('file-input'), new File(['x'], 'site.jpeg', { type: 'image/jpeg' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Crop the picture of Heron Bay' }));
    expect(dialog.getByText(/^Image must be 250 x 250 px \(found 1,?000 x 500\)\./)).toBeDefined();
    expect(drawCalls.at(-1)).toEqual([250, 0, 500, 500, 0, 0, 250, 250]);
    fireEvent.change(dialog.getByRole('slider', { name: 'Left to right' }), { target: { value: '100' } });
    expect(drawCalls.at(-1)).toEqual([500, 0, 500, 500, 0, 0, 250, 250]);
    await user.click(dialog.getByRole('button', { name: 'Use this part' }));
    expect(await icon.findByRole('img', { name: 'Icon of Heron Bay' })).toBeDefined();
    const sentFile = (server.sentTo('POST /api/location-pictures/HB/images/icon')[0]!.body as FormData).get(
      'file',
    ) as File;
    expect([sentFile.name, sentFile.type]).toEqual(['site.jpg', 'image/jpeg']);
  });

  it('takes a dropped file, and offers to try again after a lost connection or a conflict', async () => {
    const server = buildServer([]).on('POST /api/location-pictures/:location/images/:kind', () => {
      throw new ConnectionLostError();
    });
    const { user } = await setup({ server });
    const image = within(await screen.findByRole('region', { name: 'Navigation image' }));
    const zone = image.getByTestId('file-input').parentElement!;
    fireEvent.drop(zone, { dataTransfer: { files: [new File(['x'], 'site.webp')] } });
    const retryButton = await image.findByRole('button', { name: 'Try again' });
    server.on('POST /api/location-pictures/:location/images/:kind', conflict(buildPictures({ navigationImage: null })));
    await user.click(retryButton);
    expect(await image.findByText(/Someone else has changed the pictures meanwhile/)).toBeDefined();
    server.on('POST /api/location-pictures/:location/images/:kind', reply('p1', buildPictures({ version: 5 })));
    await user.click(image.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('img', { name: 'Navigation image of Heron Bay' })).toBeDefined();
    const versions = server.sentTo('POST /api/location-pictures/HB/images/navigationImage');
    expect(versions.map(({ query }) => query.get('version'))).toEqual(['0', '0', '4']);
  });

  it('removes a picture and keeps the focus', async () => {
    const server = buildServer().on(
      'DELETE /api/location-pictures/:location/images/:kind',
      reply('p1', buildPictures({ navigationImage: null, version: 5 })),
    );
    const { user } = await setup({ server });
    await user.click(await screen.findByRole('button', { name: 'Remove navigation image' }));
    expect(await screen.findByText('Last change: The navigation image of Heron Bay was removed')).toBeDefined();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Navigation image'));
    expect(screen.queryByRole('heading', { name: 'Map hotspots' })).toBeNull();
  });

  it('offers to load the pictures again after a failure', async () => {
    const server = buildServer().on('GET /api/location-pictures', { status: 500 });
    const { user } = await setup({ server });
    const card = await findCard();
    const retryButton = await card.findByRole('button', { name: 'Try again' });
    server.on('GET /api/location-pictures', { status: 200, body: [buildPictures()] });
    await user.click(retryButton);
    expect(await card.findByRole('img', { name: 'Navigation image of Heron Bay' })).toBeDefined();
  });
});

describe('map hotspots', () => {
  it('are drawn by mouse, moved by dragging and saved', async () => {
    const polygon: Corner[] = [
      [0.5, 0.5],
      [0.9, 0.5],
      [0.9, 0.95],
    ];
    const savedPictures = buildPictures({
      areas: [...buildPictures().areas, { location: 'HB-M20', polygon }],
      version: 5,
    });
    const server = buildServer().on(areasEndpoint, reply('p1', savedPictures));
    const { user } = await setup({ server });
    const canvas = await startDrawing(user, 'Module M20');
    clickAt(canvas, 0.5, 0.5);
    clickAt(canvas, 0.9, 0.5);
    expect(within(canvas).queryByRole('button')).toBeNull();
    clickAt(canvas, 0.9, 0.9);
    await user.click(within(canvas).getByRole('button', { name: 'Close the outline' }));
    const corner = await screen.findByRole('button', { name: /^Corner 3 of 3: 90\.0% from the left, 90\.0%/ });
    fireEvent.pointerDown(corner, { pointerId: 1 });
    // jsdom has no pointer events with a position.
    fireEvent(corner, new MouseEvent('pointermove', { bubbles: true, clientX: 900, clientY: 475 }));
    fireEvent.pointerUp(corner, { pointerId: 1 });
    await user.click(screen.getByRole('button', { name: 'Save hotspots' }));
    expect(await screen.findByText('Last change: The map hotspots of Heron Bay were saved')).toBeDefined();
    expect(server.sentTo('PUT /api/location-pictures/HB/areas')[0]?.body).toEqual({
      areas: savedPictures.areas,
      version: 4,
    });
    expect(screen.getByRole('button', { name: 'Save hotspots' }).getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByText('All locations below have a hotspot.')).toBeDefined();
  });

  it('are drawn, changed and removed by keyboard', async () => {
    const server = buildServer().on(areasEndpoint, reply('p1', buildPictures({ areas: [], version: 5 })));
    const { user } = await setup({ server });
    const canvas = await startDrawing(user, 'Module M20');
    await waitFor(() => expect(document.activeElement).toBe(canvas));
    await user.keyboard('{Enter}');
    expect(await screen.findByText('An outline needs at least three corners.')).toBeDefined();
    await user.keyboard(' {ArrowRight>4/} {ArrowDown>2/} {ArrowLeft} {Escape}{Shift>}{ArrowLeft}{/Shift}{Enter}');
    expect(screen.queryByRole('application')).toBeNull();
    const last = screen.getByRole('button', { name: /^Corner 3 of 3: 52\.0% from the left, 51\.0% from the top/ });
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Corner 1 of 3/);
    act(() => last.focus());
    await user.keyboard('{ArrowDown}{Shift>}{ArrowDown}{/Shift}{Delete}');
    expect(screen.getByRole('button', { name: /^Corner 3 of 3: 52\.0% from the left, 51\.6%/ })).toBeDefined();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('button', { name: /^Corner/ })).toBeNull();
    expect(document.activeElement?.textContent).toBe('Map hotspots');
    await user.click(screen.getByRole('button', { name: 'Edit the hotspot of Module M10' }));
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Corner 1 of 3/));
    expect(screen.getAllByRole('button', { name: /^Corner/ })).toHaveLength(3);
    await user.click(screen.getByRole('button', { name: 'Remove the hotspot of Module M10' }));
    await user.click(screen.getByRole('button', { name: 'Save hotspots' }));
    await screen.findByText('Last change: The map hotspots of Heron Bay were saved');
    expect(server.sentTo('PUT /api/location-pictures/HB/areas')[0]?.body).toEqual({
      areas: [
        {
          location: 'HB-M20',
          polygon: [
            [0.5, 0.5],
            [0.52, 0.5],
            [0.52, 0.516],
          ],
        },
      ],
      version: 4,
    });
  });

  it('get a corner by dragging the dot on an edge, and lose a corner by a long press', async () => {
    const { user } = await setup();
    await user.click(await screen.findByRole('button', { name: 'Edit the hotspot of Module M10' }));
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Corner 1 of 3/));
    const press = (element: HTMLElement) => fireEvent.pointerDown(element, { pointerId: 1 });
    const moveTo = (element: HTMLElement, x: number, y: number) =>
      fireEvent(element, new MouseEvent('pointermove', { bubbles: true, clientX: x * 1000, clientY: y * 500 }));
    const listCorners = () =>
      screen.getAllByRole('button', { name: /^Corner/ }).map((corner) =>
        corner
          .getAttribute('aria-label')!
          .match(/[\d.]+(?=%)/g)!
          .join(' '),
      );
    const edge = screen.getByRole('button', { name: 'Add a corner after corner 1' });
    press(edge);
    moveTo(edge, 0.3, 0.05);
    moveTo(edge, 0.3, 0.02);
    fireEvent.pointerUp(edge, { pointerId: 1 });
    fireEvent.click(edge);
    moveTo(edge, 0.9, 0.9);
    expect(listCorners()).toEqual(['10.0 10.0', '30.0 2.0', '40.0 10.0', '10.0 50.0']);

    act(() => screen.getByRole('button', { name: 'Add a corner after corner 4' }).focus());
    await user.keyboard('{Enter}{ArrowLeft}');
    expect(listCorners().slice(3)).toEqual(['10.0 50.0', '9.5 30.0']);
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^Corner 5 of 5/);

    const second = screen.getByRole('button', { name: /^Corner 2 of/ });
    press(second);
    await waitFor(() => expect(listCorners()).toEqual(['10.0 10.0', '40.0 10.0', '10.0 50.0', '9.5 30.0']));
    moveTo(second, 0.9, 0.9);
    expect(listCorners()[1]).toBe('40.0 10.0');
    await user.click(screen.getByRole('button', { name: 'Discard changes' }));
    expect(listCorners()).toEqual(['10.0 10.0', '40.0 10.0', '10.0 50.0']);
  });

  it('are not saved while an outline crosses itself', async () => {
    const { user } = await setup();
    const canvas = await startDrawing(user, 'Module M20');
    for (const [x, y] of [
      [0.1, 0.1],
      [0.9, 0.9],
      [0.9, 0.1],
      [0.1, 0.9],
    ] as const)
      clickAt(canvas, x, y);
    await user.click(screen.getAllByRole('button', { name: 'Close the outline' })[0]!);
    expect(await screen.findByText('The outline crosses itself. Move or remove a corner.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Save hotspots' }).getAttribute('aria-disabled')).toBe('true');
    await user.click(screen.getByRole('button', { name: 'Cancel the drawing' }));
    expect(screen.queryByText(/crosses itself/)).toBeNull();
  });

  it('keep the drawing offline, and ask before it is lost', async () => {
    const server = buildServer().on(areasEndpoint, () => {
      throw new ConnectionLostError();
    });
    const { user, core } = await setup({ server });
    await user.click(await screen.findByRole('button', { name: 'Remove the hotspot of Module M10' }));
    await user.click(screen.getByRole('button', { name: 'Save hotspots' }));
    expect(await screen.findByText(/Your drawing is kept/)).toBeDefined();
    expect(screen.getByText('No hotspot yet')).toBeDefined();
    expect(core.host.root.get(UnsavedWork).exists).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Discard changes' }));
    expect(screen.getByRole('button', { name: 'Edit the hotspot of Module M10' })).toBeDefined();
    expect(core.host.root.get(UnsavedWork).exists).toBe(false);
  });

  it('keep the drawing after a conflict, and save it or show the other version', async () => {
    const theirPictures = buildPictures({ areas: [{ location: 'HB-M20', polygon: triangle }], version: 7 });
    const server = buildServer().on(areasEndpoint, conflict(theirPictures));
    const { user } = await setup({ server });
    await user.click(await screen.findByRole('button', { name: 'Remove the hotspot of Module M10' }));
    await user.click(screen.getByRole('button', { name: 'Save hotspots' }));
    expect(await screen.findByText(/Someone else has changed the hotspots meanwhile/)).toBeDefined();
    expect(screen.getByText('No hotspot yet')).toBeDefined();
    server.on(areasEndpoint, reply('p1', buildPictures({ areas: [], version: 8 })));
    await user.click(screen.getByRole('button', { name: 'Save my version' }));
    await screen.findByText('Last change: The map hotspots of Heron Bay were saved');
    expect(server.sentTo('PUT /api/location-pictures/HB/areas').map(({ body }) => body)).toEqual([
      { areas: [], version: 4 },
      { areas: [], version: 7 },
    ]);
    expect(screen.queryByText(/Someone else/)).toBeNull();
  });

  it('are saved again without a question if another person has changed only a picture', async () => {
    let calls = 0;
    const server = buildServer().on(areasEndpoint, () => {
      calls += 1;
      return calls === 1
        ? conflict(buildPictures({ icon: '/api/files/icon-9', version: 5 }))
        : reply('p1', buildPictures({ areas: [], icon: '/api/files/icon-9', version: 6 }));
    });
    const { user } = await setup({ server });
    await user.click(await screen.findByRole('button', { name: 'Remove the hotspot of Module M10' }));
    await user.click(screen.getByRole('button', { name: 'Save hotspots' }));
    await screen.findByText('Last change: The map hotspots of Heron Bay were saved');
    expect(await screen.findByRole('img', { name: 'Icon of Heron Bay' })).toBeDefined();
  });

  it('are in French', async () => {
    const { user } = await setup({ language: 'fr' });
    expect(await screen.findByRole('heading', { name: 'Zones cliquables' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Modifier la zone de Module M10' }));
    expect(
      screen.getByRole('button', { name: /^Coin 1 sur 3\u00a0: à 10,0\s% de la gauche et 10,0\s% du haut$/ }),
    ).toBeDefined();
  });
});
