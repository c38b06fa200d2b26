import { useEffect, useState } from 'react';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ViewState } from '#core';
import { buildMe, FakeServer, renderScreen } from '#core/testing/web';
import { TourStore, TourTools, ViewSurfaces, WebGlUnavailable } from '#plugins/tour';
import {
  buildTag,
  buildTour,
  FakeEngine,
  createServicesWith as tourServicesWith,
  tourWeb,
} from '#plugins/tour/testing/web';
import type { Model, ModelMapping } from '../../contract/api.ts';
import type { TilesState } from '../viewer/model-content.ts';
import modelWeb from '../index.ts';
import { FakeModelEngine, createFakeServices, type FakeEngines } from '../../testing/web/fake-model-engine.ts';
import { ModelViewStore } from '../stores/model-view-store.ts';
import ModelModule from './model-module.tsx';
import ModelTools from './model-tools.tsx';

const model: Model = {
  uid: 'M1',
  name: 'Plant',
  location: 'unit',
  version: 1,
  state: 'READY',
  message: null,
  refusal: null,
  address: '/api/files/plant',
  tiles: 0,
  bytes: 100,
  objects: 5,
  bounds: null,
  pose: { position: [0, 0, 0], heading: 0, scale: 1 },
  report: null,
  updatedAt: '2026-03-01T10:00:00.000Z',
};

const getTag = 'GET /api/tour/:location/tags/:number';

const nextFrame = () => act(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));

interface SetupOptions {
  readonly view?: ViewState;
  readonly models?: readonly Model[];
  readonly mappings?: readonly ModelMapping[];
  readonly fakes?: FakeEngines;
  readonly server?: FakeServer;
  readonly flags?: readonly ('threeDimensionalAccess' | 'configure')[];
}

async function setup({
  models = [model],
  mappings = [],
  fakes = { engine: new FakeModelEngine() },
  server = new FakeServer(),
  flags = ['threeDimensionalAccess'],
  view,
}: SetupOptions = {}) {
  for (const [route, body] of [
    ['GET /api/tour/:location', buildTour()],
    ['PUT /api/tour/:location/visited/:node', {}],
    ['GET /api/model-3d/:location/models', models],
    ['GET /api/model-3d/:location/mappings', mappings],
    ['GET /api/files/plant', new ArrayBuffer(4)],
  ] as const) {
    if (!server.hasHandler(route)) server.on(route, { status: 200, body });
  }
  if (!server.hasHandler(getTag))
    server.on(getTag, ({ path }) => ({
      status: 200,
      body: buildTag(decodeURIComponent(path.split('/').at(-1) ?? '')),
    }));
  const plugins = [
    { id: 'tour', settings: {}, web: { ...tourWeb, services: tourServicesWith(new FakeEngine()) }, bridges: [] },
    {
      id: 'model-3d',
      settings: { engine: 'builtin' },
      web: { ...modelWeb, services: createFakeServices(fakes) },
      bridges: [],
    },
  ];
  let reopenModule = (): void => undefined;
  function Module() {
    const [count, setCount] = useState(0);
    useEffect(() => void (reopenModule = () => setCount(count + 1)), [count]);
    return <ModelModule key={count} />;
  }
  const rendered = await renderScreen(
    <>
      <Module />
      <ModelTools />
    </>,
    {
      plugins,
      plugin: 'model-3d',
      server,
      me: buildMe({ access: { flags: [...flags], locations: 'ALL', deactivatedRoles: [] } }),
    },
  );
  const { host } = rendered.core;
  const [store, tools, modelView, surfaces] = await Promise.all([
    host.getService('model-3d', TourStore),
    host.getService('model-3d', TourTools),
    host.getService('model-3d', ModelViewStore),
    host.getService('model-3d', ViewSurfaces),
  ]);
  await act(async () => {
    await store.open('unit', view);
  });
  return {
    ...rendered,
    store,
    tools,
    modelView,
    surfaces,
    server,
    engine: fakes.engine,
    reopenModule: () => reopenModule(),
  };
}

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

describe('ModelModule', () => {
  it("[TOUR-13] loads the models of the tour and takes the tour's view", async () => {
    const { engine, modelView, surfaces } = await setup();
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    expect(engine.attachedHosts).toBe(1);
    expect(engine.view).toMatchObject({ position: [10, 5, 1.7], pan: 10, tilt: -5 });
    expect(surfaces.all.map((surface) => surface.module)).toEqual(['model-3d.module']);
    expect(await surfaces.all[0]!.pick(4, 5)).toMatchObject({ point: [1, 2, 3], source: 'MODEL', tag: 'V-101' });
  });

  it('[TOUR-19] selects the object that the URL names and brings it into view', async () => {
    const view: ViewState = {
      v: 1,
      module: 'model-3d.module',
      pos: [10, 5, 1.7],
      pan: 10,
      tilt: -5,
      fov: 75,
      layers: { object: 'M1 V-102' },
    };
    const { engine, modelView, store } = await setup({ view });
    await waitFor(() => expect(engine.fitCalls).toHaveLength(1));
    expect(modelView.selectedObject?.key).toBe('V-102');
    expect(engine.fitCalls).toEqual([[3, 4]]);
    await act(async () => engine.emit('clicked', { object: undefined, add: false }));
    expect(store.layers['object']).toBeUndefined();
  });

  it('[TOUR-23] reports an object in the URL that does not exist', async () => {
    const { modelView, store } = await setup({
      view: {
        v: 1,
        module: 'model-3d.module',
        pos: [10, 5, 1.7],
        pan: 10,
        tilt: -5,
        fov: 75,
        layers: { object: 'M1 GONE' },
      },
    });
    await waitFor(() => expect(store.missingParts).toEqual([{ message: 'model-3d.missing.object' }]));
    expect(modelView.selectedObject).toBeUndefined();
  });

  it('restores section, x-ray and hidden objects from the URL', async () => {
    const view: ViewState = {
      v: 1,
      module: 'model-3d.module',
      pos: [10, 5, 1.7],
      pan: 10,
      tilt: -5,
      fov: 75,
      layers: { section: '-z2.5', xray: '1', hidden: '6:0.2-3' },
    };
    const { modelView, store } = await setup({ view });
    await waitFor(() => expect(modelView.section).toEqual({ axis: 'z', offset: 2.5, flipped: true }));
    expect(modelView.xray).toBe(true);
    expect([...modelView.hidden]).toEqual([0, 2, 3]);
    act(() => modelView.isolate([1]));
    expect(store.layers['hidden']).toBe('6:5');
    act(() => modelView.showAll());
    act(() => modelView.setSection({ axis: 'x', offset: -0.12345, flipped: false }));
    act(() => modelView.setXray(false));
    expect(store.layers).toEqual({ section: 'x-0.123' });
    act(() => store.setLayer('section', undefined));
    expect(modelView.section).toBeUndefined();
  });

  it('[TOUR-05] synchronizes its view with other modules and with the current node', async () => {
    const { engine, tools, store } = await setup();
    act(() => engine.emit('moved', { position: [11, 6, 2], pan: 44, tilt: 3, fov: 60 }));
    expect(tools).toMatchObject({
      position: [11, 6, 2],
      view: { pan: 44, tilt: 3, fov: 60 },
      viewAuthor: 'model-3d.module',
      positionAuthor: 'model-3d.module',
    });
    act(() => tools.setView({ pan: 200, tilt: -9, fov: 41 }, 'vr.module'));
    expect(engine.view).toMatchObject({ position: [10, 5, 1.7], pan: 200, tilt: -9, fov: 41 });
    await act(async () => store.goTo('node-N2'));
    expect(engine.view.position).toEqual([14, 5, 1.7]);
    act(() => tools.look({ pan: 30 }, true));
    expect(engine.flights).toEqual([{ pan: 30 }]);
    act(() => engine.emit('moved', { position: [10.5, 5, 1.7], pan: 30, tilt: 0, fov: 60 }));
    expect(store.currentNode?.code).toBe('N1');
    expect(tools).toMatchObject({ position: [10.5, 5, 1.7], positionAuthor: 'model-3d.module' });
    expect(engine.view.position).toEqual([14, 5, 1.7]);
  });

  it('[TOUR-05] does not interrupt a flight whose moves it reports', async () => {
    const { engine, tools } = await setup();
    const setState = vi.spyOn(engine, 'setView');
    act(() => tools.look({ pan: 30 }, true));
    act(() => engine.emit('moved', { position: tools.position ?? [0, 0, 0], pan: 20, tilt: 0, fov: 60 }));
    act(() => engine.emit('moved', { position: tools.position ?? [0, 0, 0], pan: 30, tilt: 0, fov: 60 }));
    expect([tools.view.pan, setState.mock.calls]).toEqual([30, []]);
  });

  it('[TOUR-13] selects tags and objects in both directions', async () => {
    const { engine, store, modelView } = await setup();
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    await act(async () => engine.emit('clicked', { object: 4, add: false }));
    expect(store.selectedTag?.number).toBe('V-102');
    expect(engine.appearance?.selected).toEqual([3, 4]);
    await act(async () => store.selectTag('V-101'));
    expect(modelView.selectedObject?.name).toBe('V-101');
    await act(async () => store.selectTag(undefined));
    expect(modelView.selected).toEqual([]);
    await act(async () => engine.emit('clicked', { object: 5, add: false }));
    expect(modelView.selectedObject?.name).toBe('Beam');
    expect(store.selectedTag).toBeUndefined();
    await act(async () => engine.emit('clicked', { object: undefined, add: false }));
    expect(modelView.selected).toEqual([]);
  });

  it('[TOUR-13] goes up to the parent object and down again by the arrows of the panel', async () => {
    const { user, engine, modelView } = await setup();
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    await user.click(screen.getByRole('button', { name: 'Show objects' }));
    await act(async () => engine.emit('clicked', { object: 4, add: false }));
    expect(modelView.selectedObject?.name).toBe('V-102');
    await user.click(screen.getByRole('button', { name: 'Select parent' }));
    expect(modelView.selectedObject?.name).toBe('Equipment');
    expect(engine.appearance?.selected).toEqual([1, 2, 3, 4]);
    screen.getByRole('button', { name: 'Select child' }).focus();
    await user.keyboard('{Enter}{Enter}');
    expect(modelView.selectedObject?.name).toBe('shell');
    expect(screen.getByRole('button', { name: 'Select child' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('[TOUR-13] fits a tag into view and reveals it in the tree after the tour went to it, but not after a click', async () => {
    const { user, engine, store, modelView } = await setup();
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    act(() => store.chooseModule('model-3d.module'));
    await user.click(screen.getByRole('button', { name: 'Show objects' }));
    await act(async () => engine.emit('clicked', { object: 2, add: false }));
    expect([store.selectedTag?.number, engine.fitCalls]).toEqual(['V-101', []]);
    await act(async () => store.goToTag('V-102'));
    await waitFor(() => expect(engine.fitCalls).toEqual([[3, 4]]));
    expect(screen.getByRole('treeitem', { selected: true }).textContent).toBe('V-102');
    await act(async () => store.goToTag('V-102'));
    await waitFor(() => expect(engine.fitCalls).toHaveLength(2));
    act(() => store.setSecondaryModule('vr.module'));
    await act(async () => store.goToTag('V-101'));
    await nextFrame();
    expect([modelView.selectedObject?.name, engine.fitCalls.length]).toEqual(['V-101', 2]);
  });

  it('[TOUR-13] shows a hidden tag before it is fitted into view', async () => {
    const { engine, store, modelView } = await setup();
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    act(() => store.chooseModule('model-3d.module'));
    act(() => modelView.setSubtreeHidden(1, true));
    const hiddenAtFit: unknown[] = [];
    vi.spyOn(engine, 'fit').mockImplementation(() => hiddenAtFit.push([...(engine.appearance?.hidden ?? [])]));
    await act(async () => store.goToTag('V-102'));
    await waitFor(() => expect(hiddenAtFit).toEqual([[2]]));
  });

  it('[TOUR-13] fits a tag later if the module was closed before the next frame', async () => {
    const { engine, store, modelView, reopenModule } = await setup();
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    act(() => store.chooseModule('model-3d.module'));
    const frames: FrameRequestCallback[] = [];
    const request = vi.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame));
    await act(async () => store.goToTag('V-102'));
    await waitFor(() => expect(modelView.selectedObject?.name).toBe('V-102'));
    request.mockRestore();
    act(() => modelView.setEngine(undefined));
    act(() => frames.forEach((frame) => frame(0)));
    expect([frames.length > 0, engine.fitCalls]).toEqual([true, []]);
    await act(async () => reopenModule());
    await waitFor(() => expect(engine.fitCalls).toEqual([[3, 4]]));
  });

  it('[TOUR-13] does not fit a tag into view that the tour went to in a split view without the model', async () => {
    const { engine, store, modelView, reopenModule } = await setup();
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    act(() => store.chooseModule('model-3d.module'));
    act(() => store.setSecondaryModule('vr.module'));
    await act(async () => store.goToTag('V-102'));
    act(() => store.setSecondaryModule(undefined));
    await act(async () => reopenModule());
    await waitFor(() => expect(engine.attachedHosts).toBe(1));
    await nextFrame();
    expect([modelView.selectedObject?.name, engine.fitCalls]).toEqual(['V-102', []]);
  });

  it('[TOUR-13] fits the position of a tag that has no object in the model', async () => {
    const server = new FakeServer().on(getTag, { status: 200, body: buildTag('PT-7', { position: [1, 2, 3] }) });
    const { engine, store, modelView } = await setup({ server });
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    act(() => store.chooseModule('model-3d.module'));
    await act(async () => store.goToTag('PT-7'));
    await waitFor(() => expect(engine.fitCalls).toEqual([{ min: [0.5, 1.5, 2.5], max: [1.5, 2.5, 3.5] }]));
    expect(modelView.selectedObject).toBeUndefined();
  });

  it('selects the object of a tag whose number in the file is a former one', async () => {
    const server = new FakeServer().on(getTag, ({ path }) => {
      const number = decodeURIComponent(path.split('/').at(-1) ?? '');
      const isRenamed = number === 'V-101' || number === 'P-7';
      return { status: 200, body: isRenamed ? buildTag('P-7', { formerNumbers: ['V-101'] }) : buildTag(number) };
    });
    const { engine, store, modelView } = await setup({ server });
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    await act(async () => store.selectTag('P-7'));
    expect(modelView.selectedObject?.name).toBe('V-101');
    await act(async () => engine.emit('clicked', { object: 3, add: false }));
    expect(store.selectedTag?.number).toBe('V-102');
    await act(async () => engine.emit('clicked', { object: 2, add: false }));
    expect([store.selectedTag?.number, modelView.selectedObject?.name]).toEqual(['P-7', 'V-101']);
    const requestCount = server.sentTo(getTag).length;
    await act(async () => engine.emit('clicked', { object: 2, add: false }));
    expect(server.sentTo(getTag)).toHaveLength(requestCount);
  });

  it('[TOUR-13] finds, isolates and hides objects in the tree', async () => {
    const { user, engine, modelView } = await setup();
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    await user.click(screen.getByRole('button', { name: 'Show objects' }));
    expect(screen.getAllByRole('treeitem').map((row) => row.textContent)).toEqual([
      'Process deck',
      'Equipment',
      'Beam',
    ]);
    await user.type(screen.getByRole('searchbox', { name: 'Search objects' }), 'v-10 gas');
    expect(screen.getAllByRole('treeitem').map((row) => row.textContent)).toEqual([
      'Process deck',
      'Equipment',
      'V-101',
      'V-102',
    ]);
    await user.click(screen.getByText('V-102'));
    expect(screen.getByRole('heading', { level: 3, name: 'V-102' })).toBeDefined();
    expect(screen.getByText('Gas')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Isolate' }));
    expect([...modelView.hidden].toSorted()).toEqual([2, 5]);
    expect(engine.appearance?.hidden).toBe(modelView.hidden);
    await user.click(screen.getByRole('button', { name: 'Show all' }));
    expect(modelView.hidden.size).toBe(0);
    await user.click(screen.getByRole('button', { name: 'Hide V-101' }));
    expect([...modelView.hidden]).toEqual([2]);
    await user.click(screen.getByRole('button', { name: 'Fit to view' }));
    expect(engine.fitCalls).toEqual([[3, 4]]);
  });

  it('[TOUR-13] supports clicks and double clicks in the tree', async () => {
    const { user, engine, modelView } = await setup();
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    await user.click(screen.getByRole('button', { name: 'Show objects' }));
    await user.click(screen.getByRole('treeitem', { name: /^Beam/ }));
    expect(modelView.selectedObject?.name).toBe('Beam');
    expect(engine.fitCalls).toEqual([]);
    await user.dblClick(screen.getByText('Beam', { selector: '[title]' }));
    expect(engine.fitCalls).toEqual([[5]]);
    await user.click(screen.getByRole('searchbox', { name: 'Search objects' }));
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('tree')).toBeNull();
  });

  it('[TOUR-13] supports the keyboard in the tree', async () => {
    const { user, modelView } = await setup();
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    await user.click(screen.getByRole('button', { name: 'Show objects' }));
    act(() => screen.getByRole('tree').focus());
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowRight}{ArrowRight}{Enter}');
    expect(modelView.selectedObject?.name).toBe('V-101');
    await user.keyboard(' ');
    expect([...modelView.hidden]).toEqual([2]);
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(screen.getAllByRole('treeitem').map((row) => row.textContent)).toEqual([
      'Process deck',
      'Equipment',
      'Beam',
    ]);
  });

  it('[TOUR-13] sets section, x-ray and walk mode', async () => {
    const { user, engine, modelView } = await setup();
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    await user.click(screen.getByRole('button', { name: 'Section' }));
    await user.click(screen.getByRole('tab', { name: 'Height' }));
    expect(engine.appearance?.section).toEqual({ axis: 'z', offset: 2.2, flipped: false });
    await user.click(screen.getByRole('button', { name: 'Show the other side' }));
    expect(engine.appearance?.section).toMatchObject({ flipped: true });
    await user.click(screen.getByRole('tab', { name: 'Off' }));
    expect(engine.appearance?.section).toBeUndefined();
    await user.click(screen.getByRole('button', { name: 'X-ray' }));
    expect(engine.appearance?.xray).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Switch to orbit' }));
    expect(engine.mode).toBe('orbit');
    await user.click(screen.getByRole('button', { name: 'Fit all' }));
    expect(engine.fitCalls).toEqual([undefined]);
  });

  it('[TOUR-19] lets only admins map an object to a tag and a node', async () => {
    const server = new FakeServer().on('PUT /api/model-3d/:location/models/:model/mapping', ({ body }) => ({
      status: 200,
      body: { model: 'M1', ...(body as object) },
    }));
    const { user, store, modelView, engine } = await setup({ server, flags: ['threeDimensionalAccess', 'configure'] });
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    await user.click(screen.getByRole('button', { name: 'Show objects' }));
    await user.click(screen.getByText('Beam'));
    await user.type(screen.getByRole('textbox', { name: 'Linked tag' }), 'ST-9');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Linked viewpoint' }), 'node-N2');
    await user.click(screen.getByRole('button', { name: 'Link' }));
    expect(await screen.findByText('Saved')).toBeDefined();
    expect(
      server.sentTo('PUT /api/model-3d/:location/models/:model/mapping').map(({ path, body }) => [path, body]),
    ).toEqual([
      ['/api/model-3d/unit/models/M1/mapping', { object: 'Beam', kind: 'TAG', target: 'ST-9' }],
      ['/api/model-3d/unit/models/M1/mapping', { object: 'Beam', kind: 'NODE', target: 'node-N2' }],
    ]);
    await act(async () => engine.emit('clicked', { object: 5, add: false }));
    expect(store.selectedTag?.number).toBe('ST-9');
    await user.click(screen.getByRole('button', { name: 'Go to Pump row' }));
    expect(store.currentNode?.code).toBe('N2');
  });

  it('[TOUR-19] maps an object to no tag after a tag was refused', async () => {
    const mapRoute = 'PUT /api/model-3d/:location/models/:model/mapping';
    const unmapRoute = 'DELETE /api/model-3d/:location/models/:model/mapping';
    const server = new FakeServer()
      .on(mapRoute, ({ body }) =>
        (body as ModelMapping).target === null
          ? { status: 200, body: { model: 'M1', ...(body as object) } }
          : {
              status: 400,
              body: {
                code: 'E002',
                message: 'In English.',
                reference: 'r',
                refusal: { message: 'model-3d.refused.noSuchTag', values: { number: 'X-1' } },
                fields: [{ pointer: '/target', message: 'core.validation.choice' }],
              },
            },
      )
      .on(unmapRoute, { status: 200, body: {} });
    const { user, modelView } = await setup({
      server,
      flags: ['threeDimensionalAccess', 'configure'],
      mappings: [{ model: 'M1', object: 'V-101', kind: 'NODE', target: 'node-N2' }],
    });
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    await user.click(screen.getByRole('button', { name: 'Show objects' }));
    act(() => modelView.select([2]));
    const tag = await screen.findByRole('textbox', { name: 'Linked tag' });
    await user.clear(tag);
    await user.type(tag, 'X-1');
    await user.click(screen.getByRole('button', { name: 'Link' }));
    expect(await screen.findByText('This site has no tag or line with the number X-1.')).toBeDefined();
    await user.clear(tag);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Linked viewpoint' }), '');
    await user.click(screen.getByRole('button', { name: 'Link' }));
    expect(await screen.findByText('Saved')).toBeDefined();
    expect(server.sentTo(mapRoute).at(-1)?.body).toEqual({ object: 'V-101', kind: 'TAG', target: null });
    expect(server.sentTo(unmapRoute)[0]?.query.toString()).toBe('object=V-101&kind=NODE');
    expect([modelView.tree.objects[2]?.tag, modelView.tree.objects[2]?.node]).toEqual([undefined, undefined]);
  });

  it('[TOUR-19] prefers the mapped tag to the tag of the file', async () => {
    const { modelView } = await setup({
      mappings: [
        { model: 'M1', object: 'V-101', kind: 'TAG', target: 'V-999' },
        { model: 'M1', object: 'V-102', kind: 'TAG', target: null },
      ],
    });
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    expect(modelView.tree.findByTag('V-999')).toBe(2);
    expect(modelView.tree.findByTag('V-101')).toBeUndefined();
    expect(modelView.tree.objects[3]?.tag).toBeUndefined();
    expect(screen.queryByText('Link to tag or viewpoint')).toBeNull();
  });

  it('limits the card of a loading model to the area that panels leave free', async () => {
    const server = new FakeServer().on('GET /api/files/plant', () => new Promise(() => undefined));
    await setup({ server });
    const progress = await screen.findByRole('progressbar', { name: 'Progress' });
    expect(getComputedStyle(progress.closest('[role="status"]')!).width).toContain('--viewer-free-width');
  });

  it('reports that the tour has no model', async () => {
    await setup({ models: [] });
    expect(await screen.findByText('No 3D model here')).toBeDefined();
  });

  it('reports a damaged file and retries', async () => {
    const fakes: FakeEngines = { engine: new FakeModelEngine(), failRead: new Error('no GLB') };
    const { user, modelView } = await setup({ fakes });
    expect(await screen.findByText('The 3D model cannot be read')).toBeDefined();
    delete fakes.failRead;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    expect(screen.queryByText('The 3D model cannot be read')).toBeNull();
  });

  it('mounts the canvas if the engine loads only on a retry', async () => {
    const fakes: FakeEngines = {
      engine: new FakeModelEngine(),
      failCreation: new Error('The code could not be loaded.'),
    };
    const { user, modelView, engine } = await setup({ fakes });
    expect(await screen.findByText('The 3D model could not be loaded')).toBeDefined();
    delete fakes.failCreation;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    expect(engine.attachedHosts).toBe(1);
    expect(screen.queryByText('The 3D model could not be loaded')).toBeNull();
  });

  it('reports missing WebGL 2 and a lost context', async () => {
    const { engine, unmount } = await setup();
    act(() => engine.emit('contextLost', undefined));
    expect(screen.getByText(/The graphics of this device stopped/)).toBeDefined();
    act(() => engine.emit('contextRestored', undefined));
    expect(screen.queryByText(/The graphics of this device stopped/)).toBeNull();
    unmount();
    await setup({ fakes: { engine: new FakeModelEngine(), failCreation: new WebGlUnavailable() } });
    expect(await screen.findByText('This browser cannot display 3D models')).toBeDefined();
  });

  it('[TOUR-13] reports failed tiles, missing memory and reduced detail', async () => {
    const server = new FakeServer();
    for (const file of ['tileset.json', 'objects.json.gz'])
      server.on(`GET /api/files/plant/${file}`, { status: 200, body: new ArrayBuffer(4) });
    const { engine, user, modelView } = await setup({
      server,
      models: [{ ...model, tiles: 7, address: '/api/files/plant/tileset.json' }],
    });
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    const notify = (state: TilesState): void => act(() => engine.emit('tiles', state));
    notify({ loading: true, shownCount: 2, failedCount: 0, isMemoryFull: false, isDetailReduced: false });
    expect(screen.getByRole('progressbar', { name: 'Loading more of the 3D model' })).toBeDefined();
    notify({ loading: false, shownCount: 2, failedCount: 3, isMemoryFull: false, isDetailReduced: false });
    expect(screen.queryByRole('progressbar')).toBeNull();
    expect(screen.getByText('3 parts of the model could not be loaded.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(engine.retryCalls).toBe(1));
    notify({ loading: false, shownCount: 5, failedCount: 0, isMemoryFull: true, isDetailReduced: false });
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(screen.getByText(/exceeds this device's memory/)).toBeDefined();
    notify({ loading: false, shownCount: 5, failedCount: 0, isMemoryFull: false, isDetailReduced: false });
    expect(screen.queryByText(/exceeds this device's memory/)).toBeNull();
    notify({ loading: false, shownCount: 5, failedCount: 0, isMemoryFull: false, isDetailReduced: true });
    expect(screen.getByText(/This device is slow/)).toBeDefined();
  });

  it('[TOUR-13] reloads the models if the failed tiles belong to a replaced model', async () => {
    const server = new FakeServer();
    for (const file of ['tileset.json', 'objects.json.gz'])
      server.on(`GET /api/files/old/${file}`, { status: 200, body: new ArrayBuffer(4) });
    const { engine, user, modelView } = await setup({
      server,
      models: [{ ...model, tiles: 7, address: '/api/files/old/tileset.json' }],
    });
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    const previousContent = engine.content;
    act(() =>
      engine.emit('tiles', {
        loading: false,
        shownCount: 2,
        failedCount: 3,
        isMemoryFull: false,
        isDetailReduced: false,
      }),
    );
    server.on('GET /api/model-3d/:location/models', { status: 200, body: [model] });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(engine.content).not.toBe(previousContent));
    await waitFor(() => expect(screen.queryByText('3 parts of the model could not be loaded.')).toBeNull());
    expect(engine.retryCalls).toBe(0);
  });

  it('frees the model only when the tour is closed', async () => {
    const { engine, store, modelView, surfaces, unmount } = await setup();
    await waitFor(() => expect(modelView.tree.objects).toHaveLength(6));
    unmount();
    expect(engine.attachedHosts).toBe(0);
    expect(engine.disposeCalls).toBe(0);
    expect(surfaces.all).toEqual([]);
    await act(async () => store.reset());
    expect(engine.disposeCalls).toBe(1);
    expect(modelView.tree.objects).toEqual([]);
  });
});
