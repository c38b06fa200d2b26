import { act, screen, waitFor } from '@testing-library/react';
import { observer } from 'mobx-react-lite';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccessFlag } from '#core';
import { Locations, useService } from '#core/web';
import { buildMe, buildSite, buildUnit, FakeServer, renderScreen } from '#core/testing/web';
import { TourStore } from '#plugins/tour';
import { markerPanel, type Marker, type MarkerInput } from '#plugins/vr';
import { buildTag, buildTour, FakeEngine, createServicesWith, tourWeb } from '#plugins/tour/testing/web';
import vrWeb from '../../index.ts';
import PanoramaModule from '../../components/panorama-module.tsx';
import MarkersTool, { PlacingOverlay } from '../../components/markers-tool.tsx';
import MarkerPanel from './marker-panel.tsx';
import { MarkerStore } from '../stores/marker-store.ts';

const buildMarker = (uid: string, changes: Partial<Marker> = {}): Marker => ({
  uid,
  location: 'lower',
  kind: 'NOTE',
  shape: 'POINT',
  name: uid,
  text: '',
  points: [[10, 9, 1.7]],
  target: null,
  file: null,
  seenFrom: ['node-N1'],
  version: 1,
  author: 'Ann Lee',
  updatedAt: '2026-03-01T10:00:00.000Z',
  ...changes,
});
const storedMarkers: readonly Marker[] = [
  buildMarker('sheet', {
    kind: 'DOCUMENT',
    name: 'Data sheet',
    file: { id: 'f1', name: 'v-101.pdf', bytes: 2100, address: '/api/files/f1' },
  }),
  buildMarker('pan', {
    shape: 'POLYGON',
    name: 'Drip pan',
    text: 'Keep dry',
    points: [
      [9, 8, 0],
      [11, 8, 0],
      [11, 10, 0],
    ],
  }),
  buildMarker('vessel', {
    kind: 'TAG',
    shape: 'POLYGON',
    name: 'Vessel',
    target: 'V-101',
    points: [
      [9, 8, 0],
      [11, 8, 0],
      [11, 10, 2],
    ],
  }),
  buildMarker('up', { kind: 'HOTSPOT', name: 'Up', target: 'node-N3', points: [[12, 5, 0]] }),
  buildMarker('other', { name: 'Other node', seenFrom: ['node-N2'] }),
];

/** Renders the panel only while it is open, like the tour frame. */
const OpenMarkerPanel = observer(function OpenMarkerPanel() {
  return useService(TourStore).panel === markerPanel ? <MarkerPanel /> : null;
});

async function setup(flags: readonly AccessFlag[] = ['vrAccess'], server = new FakeServer()) {
  const engine = new FakeEngine();
  server
    .on('GET /api/locations', {
      status: 200,
      body: [buildSite('site', { timeZone: 'Asia/Kolkata' }), buildUnit('lower', 'site')],
    })
    .on('GET /api/tour/:location', { status: 200, body: buildTour() })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} })
    .on('GET /api/tour/:location/nodes/:node/tags', { status: 200, body: [] })
    .on('GET /api/tour/:location/tags/:number', { status: 200, body: buildTag('V-101') })
    .on('GET /api/tour/:location/nodes/:node/surface', () => ({
      status: 200,
      body: { point: [engine.view.pan, engine.view.tilt, 0] },
    }))
    .on('GET /api/vr/:location/markers', { status: 200, body: storedMarkers })
    .on('PUT /api/vr/:location/markers/:uid', ({ body, path }) => ({
      status: 200,
      body: buildMarker(path.slice(path.lastIndexOf('/') + 1), {
        ...(body as MarkerInput),
        file: null,
        version: (body as MarkerInput).version + 1,
      }),
    }))
    .on('DELETE /api/vr/:location/markers/:uid', { status: 200, body: {} });
  const plugins = [
    { id: 'tour', settings: {}, web: { ...tourWeb, services: createServicesWith(engine) }, bridges: [] },
    { id: 'vr', settings: { hoverNavigation: false }, web: vrWeb, bridges: [] },
  ];
  const page = (
    <>
      <PanoramaModule />
      <div>
        <MarkersTool />
        <PlacingOverlay />
        <OpenMarkerPanel />
      </div>
    </>
  );
  const rendered = await renderScreen(page, {
    plugins,
    plugin: 'vr',
    server,
    me: buildMe({ access: { flags: [...flags], locations: 'ALL', deactivatedRoles: [] } }),
  });
  const { host } = rendered.core;
  const [store, markers] = await Promise.all([host.getService('vr', TourStore), host.getService('vr', MarkerStore)]);
  await act(async () => store.open('unit'));
  await act(() => host.root.get(Locations).load());
  await waitFor(() => expect(markers.state).toBe('ready'));
  const chooseMenuItem = async (item: string) => {
    await rendered.user.click(await screen.findByRole('button', { name: 'Markers: documents, areas and notes' }));
    await rendered.user.click(screen.getByRole('menuitem', { name: item }));
  };
  /** The host element of the fake engine. */
  const picture = rendered.container.querySelector<HTMLElement>('div > div > div')!;
  const clickDirection = (pan: number, tilt: number) =>
    act(async () => {
      engine.view = { pan, tilt, fov: 75 };
      picture.dispatchEvent(
        Object.assign(new MouseEvent('pointerdown', { bubbles: true, clientX: 5, clientY: 5 }), { isPrimary: true }),
      );
      picture.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: 5, clientY: 5 }));
    });
  return { ...rendered, engine, store, markers, chooseMenuItem, clickDirection, picture, server };
}

const findPin = (engine: FakeEngine, name: string) => engine.pins.find(({ label }) => label.endsWith(name));
const findArea = (engine: FakeEngine, name: string) => engine.shapes.find(({ label }) => label.endsWith(name));

beforeEach(
  () =>
    void vi.stubGlobal(
      'ResizeObserver',
      class {
        observe() {}
        unobserve() {}
        disconnect() {}
      },
    ),
);

describe('markers of a panorama', () => {
  it('draws the visible points as pins and the visible areas as outlines', async () => {
    const { engine, store } = await setup();
    expect(engine.pins.map(({ label }) => label)).toEqual(['Go to Pump row', 'Document: Data sheet', 'Hotspot: Up']);
    expect(findPin(engine, 'Data sheet')).toMatchObject({ pan: 0, tilt: 0 });
    expect(engine.shapes.map(({ label }) => label)).toEqual(['Note: Drip pan', 'Tag: Vessel']);
    expect(findArea(engine, 'Drip pan')?.corners[0]).toEqual([-1, 3, -1.7]);
    await act(async () => store.goTo('node-N2'));
    expect(engine.shapes).toEqual([]);
    expect(findPin(engine, 'Other node')).toBeDefined();
  });

  it('shows details with links to document, tag and node', async () => {
    const { engine, store, user } = await setup();
    await act(async () => findPin(engine, 'Data sheet')?.onActivate());
    expect(store.layers).toEqual({ marker: 'sheet' });
    const link = screen.getByRole('link', { name: /v-101\.pdf/ });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/api/files/f1', '_blank']);
    expect(screen.getByText('Ann Lee, Mar 1, 2026, 03:30 PM GMT+5:30')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
    await act(async () => findArea(engine, 'Vessel')?.onActivate?.());
    await user.click(screen.getByRole('button', { name: 'Show V-101' }));
    expect(store.selectedTag?.number).toBe('V-101');
    await act(async () => store.setLayer('marker', 'pan'));
    expect(screen.getByText('Keep dry')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Close markers' }));
    expect(store.layers).toEqual({});
    await act(async () => findPin(engine, 'Up')?.onActivate());
    expect(store.currentNode?.code).toBe('N3');
  });

  it('goes to the nearest viewpoint from which the marker is visible', async () => {
    const { store, user } = await setup();
    await act(async () => store.setLayer('marker', 'other'));
    await user.click(screen.getByRole('button', { name: 'Show in panorama' }));
    expect(store.currentNode?.code).toBe('N2');
  });

  it('shows only the selected marker while markers are hidden', async () => {
    const { engine, chooseMenuItem, user } = await setup();
    await chooseMenuItem('List of markers');
    await user.click(screen.getByRole('button', { name: /Drip pan/ }));
    await chooseMenuItem('Hide markers');
    expect(engine.shapes.map(({ label }) => label)).toEqual(['Note: Drip pan']);
    expect(findPin(engine, 'Data sheet')).toBeUndefined();
  });

  it('creates an area marker from clicks', async () => {
    const { engine, chooseMenuItem, clickDirection, server, user, store } = await setup(['vrAccess', 'configure']);
    await chooseMenuItem('New area marker');
    await clickDirection(10, 1);
    await clickDirection(20, 2);
    await clickDirection(30, 3);
    await clickDirection(40, 4);
    expect(engine.pins.filter(({ id }) => id.startsWith('corner')).length).toBe(4);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(engine.shapes.find(({ id }) => id === 'draft')?.corners).toHaveLength(3);
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('Enter a name')).toBeDefined();
    expect(server.sentTo('PUT /api/vr/:location/markers/:uid')).toEqual([]);
    await user.type(screen.getByLabelText(/^Name/), 'Scaffold');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const [request] = server.sentTo('PUT /api/vr/:location/markers/:uid');
    expect(request?.body).toEqual({
      kind: 'NOTE',
      name: 'Scaffold',
      text: '',
      target: null,
      file: null,
      shape: 'POLYGON',
      points: [
        [10, 1, 0],
        [20, 2, 0],
        [30, 3, 0],
      ],
      version: 0,
    });
    expect(findArea(engine, 'Scaffold')).toBeDefined();
    expect(store.layers['marker']).toBeDefined();
  });

  it('creates a marker by keyboard after a click on the sky', async () => {
    const { engine, chooseMenuItem, clickDirection, server, picture, markers } = await setup(['vrAccess', 'configure']);
    await chooseMenuItem('New point marker');
    server.on('GET /api/tour/:location/nodes/:node/surface', { status: 200, body: { point: null } });
    await clickDirection(0, 80);
    expect(screen.getByText('No surface here. Click a surface.')).toBeDefined();
    server.on('GET /api/tour/:location/nodes/:node/surface', { status: 200, body: { point: [10, 8, 1.7] } });
    const pressKey = (name: string, target: EventTarget = picture) =>
      act(
        async () =>
          void target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true })),
      );
    await pressKey('Enter');
    expect(markers.draft?.points).toEqual([[10, 8, 1.7]]);
    const handle = document.createElement('button');
    engine.pins.find(({ id }) => id === 'corner 0')!.render(handle);
    await pressKey('ArrowRight', handle);
    const [[x, y] = [0, 0]] = markers.draft?.points ?? [];
    expect((Math.atan2(x - 10, y - 5) * 180) / Math.PI).toBeCloseTo(0.25, 6);
    await pressKey('Backspace');
    expect(markers.draft?.points).toEqual([[10, 8, 1.7]]);
  });

  it('edits a marker and deletes it after confirmation', async () => {
    const { store, server, user, engine } = await setup(['vrAccess', 'configure']);
    await act(async () => store.setLayer('marker', 'pan'));
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    const name = screen.getByLabelText(/^Name/);
    await user.clear(name);
    await user.type(name, 'Drip tray');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(server.sentTo('PUT /api/vr/:location/markers/:uid')[0]?.body).toMatchObject({
      name: 'Drip tray',
      version: 1,
      points: storedMarkers[1]!.points,
    });
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(server.sentTo('DELETE /api/vr/:location/markers/:uid')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Delete for everyone' }));
    expect(server.sentTo('DELETE /api/vr/:location/markers/:uid')).toHaveLength(1);
    expect(findArea(engine, 'Drip tray')).toBeUndefined();
  });

  it('keeps the input if a marker cannot be saved', async () => {
    const { store, server, user } = await setup(['vrAccess', 'configure']);
    await act(async () => store.setLayer('marker', 'pan'));
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    server.on('PUT /api/vr/:location/markers/:uid', {
      status: 409,
      body: { code: 'E007', message: 'Somebody else has changed this marker.', reference: 'r' },
    });
    await user.type(screen.getByLabelText(/^Text/), ' now');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByRole('alert').textContent).toBe(
      'Not saved: Someone else has changed this. Please reload it and try again.',
    );
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Text/).value).toBe('Keep dry now');
  });

  it('starts a new edit after a conflict from the values of the other person', async () => {
    const { store, server, user } = await setup(['vrAccess', 'configure']);
    await act(async () => store.setLayer('marker', 'pan'));
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    server.on('PUT /api/vr/:location/markers/:uid', {
      status: 409,
      body: {
        code: 'E007',
        message: 'Somebody else has changed this marker.',
        reference: 'r',
        current: { ...storedMarkers[1], text: 'Wet', version: 4 },
      },
    });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByRole('alert');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Wet')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(
        server.sentTo('PUT /api/vr/:location/markers/:uid').map(({ body }) => (body as MarkerInput).version),
      ).toEqual([1, 4]),
    );
  });

  it('keeps the input while the outline is edited', async () => {
    const { store, user } = await setup(['vrAccess', 'configure']);
    await act(async () => store.setLayer('marker', 'pan'));
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    await user.type(screen.getByLabelText(/^Text/), ' now');
    await user.click(screen.getByRole('button', { name: 'Edit outline' }));
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Text/).value).toBe('Keep dry now');
  });
});
