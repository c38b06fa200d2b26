import { action, observable, reaction, runInAction } from 'mobx';
import { describe, expect, it } from 'vitest';
import { storageKeys, type ViewState } from '#core';
import { BrowserStorage, Locations, type InstalledPlugin } from '#core/web';
import { FakeServer, ConnectionLostError, createWebHarness, type FakeReply } from '#core/testing/web';
import {
  commonMapImage,
  commonMapVisibility,
  selectedPid,
  restoreView,
  TourStore,
  TourTools,
  captureView,
} from '#plugins/tour';
import tour from '../index.ts';
import { buildTag, buildTour } from '../../testing/web/test-tour.ts';

const tourPlugin: InstalledPlugin = { id: 'tour', settings: {}, web: tour, bridges: [] };

async function setup(reply: FakeReply = { status: 200, body: buildTour() }) {
  const server = new FakeServer()
    .on('GET /api/tour/:location', reply)
    .on('GET /api/tour/:location/visited', { status: 200, body: [] })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} })
    .on('GET /api/tour/:location/tags/:number', ({ path }) => ({
      status: 200,
      body: buildTag(decodeURIComponent(path.split('/').at(-1) ?? '')),
    }));
  const { core } = await createWebHarness({ plugins: [tourPlugin], server });
  const [store, tools] = await Promise.all([
    core.host.getService('tour', TourStore),
    core.host.getService('tour', TourTools),
  ]);
  return { store, tools, server, storage: core.host.root.get(BrowserStorage) };
}

describe('restoreView', () => {
  const view: ViewState = { v: 1, module: 'b', node: 'N2', pos: [14, 5, 1.7], pan: 120, tilt: 5, fov: 50 };

  it('[TOUR-05] opens another module with the view', async () => {
    const { store, tools } = await setup();
    await store.open('unit', { ...view, module: 'a', node: 'N1', pan: 10 });
    restoreView(store, tools, view);
    expect([store.category, store.currentNode?.code, tools.view, tools.viewAuthor, tools.position]).toEqual([
      'b',
      'N2',
      { pan: 120, tilt: 5, fov: 50 },
      undefined,
      [14, 5, 1.7],
    ]);
  });

  it('[TOUR-05] turns a visible module to the view', async () => {
    const { store, tools } = await setup();
    await store.open('unit', { ...view, pan: 10 });
    restoreView(store, tools, view);
    expect([tools.requestedView, tools.view.pan]).toEqual([{ pan: 120, tilt: 5, fov: 50, turn: true }, 10]);
  });
});

describe('tour store', () => {
  it('[TOUR-02] changes from initial through loading to success and back to initial on reset', async () => {
    const { store, tools } = await setup();
    const states: string[] = [];
    const stop = reaction(
      () => store.loading.tour,
      (state) => states.push(state),
      { fireImmediately: true },
    );
    await store.open('unit');
    expect(store.nodes).toHaveLength(3);
    store.setLoading('modules', 'loading');
    store.setLoading('modules', 'success');
    store.setLoading('tools', 'success');
    expect(store.loading).toEqual({ tour: 'success', tools: 'success', modules: 'success' });
    tools.setView({ pan: 77 });
    store.search('pump');
    store.reset();
    stop();
    expect(states).toEqual(['initial', 'loading', 'success', 'initial']);
    expect(store).toMatchObject({
      loading: { tour: 'initial', tools: 'initial', modules: 'initial' },
      failure: undefined,
      opened: undefined,
      currentNode: undefined,
      searchText: '',
      visitedNodes: [],
      nodes: [],
      pan: 0,
    });
  });

  it.each([
    [{ status: 403, body: { code: 'E003', message: 'No.', reference: 'r-7' } }, 'noAccess', 'r-7'],
    [{ status: 404, body: { code: 'E004', message: 'No.', reference: 'r-8' } }, 'notFound', 'r-8'],
    [{ status: 500, body: { code: 'E000', message: 'No.', reference: 'r-9' } }, 'failed', 'r-9'],
  ])('[TOUR-02] fails with an error for the reply %j', async (reply, reason, reference) => {
    const { store } = await setup(reply);
    await store.open('unit');
    expect(store.loading.tour).toBe('failure');
    expect(store.failure).toEqual({ part: 'tour', reason, reference });
  });

  it('[TOUR-02] reports a broken connection and opens the tour on retry', async () => {
    const { store, server } = await setup();
    server.on('GET /api/tour/:location', () => {
      throw new ConnectionLostError();
    });
    await store.open('unit');
    expect(store.failure).toMatchObject({ reason: 'offline' });
    server.on('GET /api/tour/:location', { status: 200, body: buildTour() });
    await store.open('unit');
    expect(store).toMatchObject({ failure: undefined, loading: { tour: 'success' } });
  });

  describe('with a large tour', () => {
    const wholeTour = buildTour();
    /** The server replies with N1 and N2, with the requested node, or with all nodes. */
    async function setupLarge() {
      const requests: string[] = [];
      const { store, server, ...others } = await setup();
      server.on('GET /api/tour/:location', ({ query }) => {
        requests.push(query.toString());
        if (!query.has('first')) return { status: 200, body: buildTour() };
        const nearCode = query.get('near');
        const nodes = wholeTour.nodes.filter(({ code }) => (nearCode === null ? code !== 'N3' : code === nearCode));
        return { status: 200, body: buildTour({ nodes, complete: false }) };
      });
      return { store, server, requests, ...others };
    }

    it('opens with the nearest nodes, and loads the other nodes without replacing loaded ones', async () => {
      const { store, requests } = await setupLarge();
      await store.open('unit');
      expect(store.nodes.map(({ code }) => code)).toEqual(['N1', 'N2']);
      const { currentNode } = store;
      await store.loadAllNodes();
      await store.loadAllNodes();
      expect(requests).toEqual(['first=true', '']);
      expect(store.nodes.map(({ code }) => code)).toEqual(['N1', 'N2', 'N3']);
      expect(store.currentNode).toBe(currentNode);
    });

    it('opens a link to a far node with the nodes near it', async () => {
      const { store, requests } = await setupLarge();
      await store.open('unit', { node: 'N3' });
      expect(requests).toEqual(['first=true', 'first=true&near=N3']);
      expect([store.currentNode?.code, store.missingParts]).toEqual(['N3', []]);
    });

    it('shows the tag of a link whose node does not exist', async () => {
      const { store, server, requests } = await setupLarge();
      const seenFrom = [{ node: 'node-N3', pan: 40, tilt: -10, distance: 3, visible: 1 }];
      server.on('GET /api/tour/:location/tags/:number', { status: 200, body: buildTag('V-101', { seenFrom }) });
      server.on('GET /api/tour/:location', ({ query }) => {
        requests.push(query.toString());
        const nodes = wholeTour.nodes.filter(({ code, uid }) => (query.get('near') === uid) === (code === 'N3'));
        return { status: 200, body: buildTour({ nodes, complete: false }) };
      });
      await store.open('unit', { node: 'N9', tag: 'V-101' });
      expect(requests).toEqual(['first=true', 'first=true&near=N9', 'first=true&near=node-N3']);
      expect([store.currentNode?.code, store.missingParts]).toEqual([
        'N3',
        [{ message: 'tour.link.node', values: { code: 'N9' } }],
      ]);
    });

    it('loads all nodes once for several requests, with the location that the person can access', async () => {
      const { store, server } = await setupLarge();
      const paths: string[] = [];
      const recordPath = (body: object) => (request: { readonly path: string }) => {
        paths.push(request.path);
        return { status: 200, body };
      };
      await store.open('lower');
      server.on('GET /api/tour/:location', recordPath(buildTour()));
      server.on('GET /api/tour/:location/tags/:number', recordPath(buildTag('V-101')));
      server.on('PUT /api/tour/:location/visited/:node', recordPath({}));
      await Promise.all([store.loadAllNodes(), store.loadAllNodes()]);
      await store.selectTag('V-101');
      store.goTo('node-N3');
      await expect
        .poll(() => paths)
        .toEqual(['/api/tour/lower', '/api/tour/lower/tags/V-101', '/api/tour/lower/visited/node-N3']);
    });

    it('restores a view of a far node as soon as it is loaded', async () => {
      const { store, tools } = await setupLarge();
      await store.open('unit', { module: 'a' });
      const view: ViewState = { v: 1, module: 'b', node: 'N3', pos: [1, 2, 3], pan: 120, tilt: 5, fov: 50 };
      restoreView(store, tools, view);
      await expect.poll(() => store.currentNode?.code).toBe('N3');
      expect([store.category, tools.view, tools.position]).toEqual(['b', { pan: 120, tilt: 5, fov: 50 }, [1, 2, 3]]);
    });

    it('names the far node of a view that cannot be loaded', async () => {
      const { store, tools, server } = await setupLarge();
      await store.open('unit', { module: 'a' });
      server.on('GET /api/tour/:location', () => {
        throw new ConnectionLostError();
      });
      restoreView(store, tools, { v: 1, module: 'b', node: 'N3', pos: [1, 2, 3], pan: 120, tilt: 5, fov: 50 });
      await expect.poll(() => store.missingParts).toEqual([{ message: 'tour.link.node', values: { code: 'N3' } }]);
      expect([store.category, store.currentNode?.code]).toEqual(['a', 'N1']);
    });

    it('does not go to an awaited node after a camera moved to another node', async () => {
      const { store } = await setupLarge();
      await store.open('unit');
      store.goTo('node-N3');
      store.moveTo([14, 5, 1.7], 'model');
      await store.loadAllNodes();
      expect(store.currentNode?.code).toBe('N2');
    });

    it('goes to a far node as soon as it is loaded, unless the person goes elsewhere before', async () => {
      const { store } = await setupLarge();
      await store.open('unit');
      store.goTo('node-N3');
      expect(store.currentNode?.code).toBe('N1');
      await store.loadAllNodes();
      expect(store.currentNode?.code).toBe('N3');
      await store.open('unit');
      store.goTo('node-N3');
      store.goTo('node-N2');
      await store.loadAllNodes();
      expect(store.currentNode?.code).toBe('N2');
    });
  });

  it('ignores the late reply for a tour that was requested earlier', async () => {
    const { store, server } = await setup();
    let replyToFirst: (reply: FakeReply) => void = () => undefined;
    server.on('GET /api/tour/slow', () => new Promise((resolve) => (replyToFirst = resolve)));
    const slowOpen = store.open('slow');
    await store.open('unit');
    replyToFirst({
      status: 200,
      body: buildTour({ tour: { ...buildTour().tour, code: 'SLOW', location: 'slow' } }),
    });
    await slowOpen;
    expect(store.opened?.tour.code).toBe('T1');
  });

  it('[TOUR-03] provides all specified values', async () => {
    const { store, tools, storage } = await setup();
    await store.open('unit');
    expect(store).toMatchObject({
      category: undefined,
      pan: 10,
      searchText: '',
      toolbarHidden: false,
      visitedNodes: ['node-N1'],
      mapLevel: 'deck-D1',
    });
    const readValues = () =>
      [selectedPid, commonMapImage, commonMapVisibility].map((value) => store.read<unknown>(value));
    expect(readValues()).toEqual([undefined, undefined, { visible: false, tourCode: null, tourId: null }]);
    expect(store.currentNode?.code).toBe('N1');
    expect(store.nodeList).toHaveLength(3);

    store.chooseModule('vr.module');
    store.search('pump');
    store.write(selectedPid, 'PID-7');
    store.setToolbarHidden(true);
    store.write(commonMapImage, '/map.png');
    store.write(commonMapVisibility, { visible: true, tourCode: 'T1', tourId: '7' });
    store.goTo('node-N3');
    tools.setView({ pan: -90 });
    expect(store).toMatchObject({
      category: 'vr.module',
      pan: 270,
      searchText: 'pump',
      toolbarHidden: true,
      visitedNodes: ['node-N1', 'node-N3'],
      mapLevel: 'deck-D2',
    });
    expect(readValues()).toEqual(['PID-7', '/map.png', { visible: true, tourCode: 'T1', tourId: '7' }]);
    expect(store.nodeList.map((node) => node.code)).toEqual(['N2']);
    expect(storage.get(storageKeys.tourCategory)).toBe('vr.module');
    store.goTo('nowhere');
    expect(store.currentNode?.code).toBe('N3');
    store.reset();
    expect(readValues()).toEqual([undefined, undefined, { visible: false, tourCode: null, tourId: null }]);
  });

  it('[TOUR-03] lists the location of the tour and all locations below it', async () => {
    const buildLocation = (uid: string, parent: string | null, locationType: string) => ({
      uid,
      label: uid,
      name: uid,
      parent,
      root: 'site',
      locationType,
    });
    const server = new FakeServer()
      .on('GET /api/locations', {
        status: 200,
        body: [
          buildLocation('site', null, 'PRIMARY_LOCATION'),
          buildLocation('unit', 'site', 'PLATFORM_UNIT'),
          buildLocation('lower', 'unit', 'LOC_LEVEL'),
          buildLocation('upper', 'unit', 'LOC_LEVEL'),
          buildLocation('other', 'site', 'PLATFORM_UNIT'),
        ],
      })
      .on('GET /api/tour/:location', { status: 200, body: buildTour() })
      .on('GET /api/tour/:location/visited', { status: 200, body: [] })
      .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} });
    const { core } = await createWebHarness({ plugins: [tourPlugin], server });
    const store = await core.host.getService('tour', TourStore);
    await core.host.root.get(Locations).load();
    await store.open('unit');
    expect(store.locationList.map((location) => location.uid)).toEqual(['unit', 'lower', 'upper']);
  });

  it('marks visited nodes at once even if reporting them to the server fails', async () => {
    const { store, server } = await setup();
    server.on('PUT /api/tour/:location/visited/:node', () => {
      throw new ConnectionLostError();
    });
    await store.open('unit');
    store.goTo('node-N2');
    store.goTo('node-N1');
    expect(store.visitedNodes).toEqual(['node-N1', 'node-N2']);
    await expect
      .poll(() =>
        server.sentTo('PUT /api/tour/:location/visited/:node').map((request) => request.path.split('/').at(-1)),
      )
      .toEqual(['node-N1', 'node-N2', 'node-N1']);
  });

  it('[TOUR-05] opens a link with its node, direction, module and tag', async () => {
    const { store, tools } = await setup();
    const view: ViewState = {
      v: 1,
      module: 'scan.module',
      node: 'N2',
      pos: [0, 0, 0],
      pan: 222,
      tilt: 11,
      fov: 40,
      sel: 'V-101',
    };
    await store.open('unit', view);
    expect(store.currentNode?.code).toBe('N2');
    expect(store.category).toBe('scan.module');
    expect(tools.view).toEqual({ pan: 222, tilt: 11, fov: 40 });
    await expect.poll(() => store.selectedTag?.state).toBe('success');
  });

  it('[DAT-06:viewpoint] opens a node and selects a tag by former codes', async () => {
    const nodes = buildTour().nodes.map((node) => (node.code === 'N2' ? { ...node, formerCodes: ['OLD'] } : node));
    const { store, tools, server } = await setup({ status: 200, body: buildTour({ nodes }) });
    server.on('GET /api/tour/:location/tags/:number', { status: 200, body: buildTag('V-102') });
    const view: ViewState = {
      v: 1,
      module: 'a',
      node: 'OLD',
      pos: [1, 2, 3],
      pan: 222,
      tilt: 11,
      fov: 40,
      sel: 'V-101',
    };
    await store.open('unit', view);
    expect([store.currentNode?.code, tools.view.pan, tools.position]).toEqual(['N2', 222, [1, 2, 3]]);
    await expect.poll(() => store.selectedTag).toMatchObject({ number: 'V-102', state: 'success' });
    expect(captureView(store, tools)).toMatchObject({ node: 'N2', floor: 'D1', sel: 'V-102' });
    store.goTo('node-N1');
    restoreView(store, tools, view);
    expect(store.currentNode?.code).toBe('N2');
    await store.open('unit', { node: 'OLD' });
    expect([store.currentNode?.code, tools.view.pan]).toEqual(['N2', 10]);
  });

  it('shows the last opened panel on top', async () => {
    const { store } = await setup();
    await store.open('unit');
    store.setPanel('places');
    await store.selectTag('V-101');
    expect(store.panel).toBe('tag');
    store.setPanel('search');
    expect([store.panel, store.selectedTag?.number]).toEqual(['search', 'V-101']);
    store.setPanel('places');
    store.setPanel(undefined);
    expect(store.panel).toBe('search');
    store.setPanel(undefined);
    expect(store.panel).toBe('tag');
    store.setPanel(undefined);
    expect([store.panel, store.selectedTag]).toEqual([undefined, undefined]);
    store.setPanel(undefined);
    store.setPanel('places');
    await store.selectTag('V-101');
    await store.selectTag(undefined);
    expect(store.panel).toBe('places');
  });

  it("marks the nodes of the person's earlier visits", async () => {
    const { store, server } = await setup();
    server.on('GET /api/tour/:location/visited', { status: 200, body: ['node-N3'] });
    await store.open('unit');
    await expect.poll(() => store.visitedNodes).toEqual(['node-N3', 'node-N1']);
  });

  it('goes to the nearest node that sees a tag, unless the current node sees the tag', async () => {
    const { store, tools } = await setup();
    await store.open('unit');
    await store.goToTag('V-101');
    expect(store.currentNode?.code).toBe('N1');
    expect(tools.requestedView).toMatchObject({ pan: 30, tilt: 2, turn: true });
    store.goTo('node-N3');
    await store.goToTag('V-101');
    expect(store.currentNode?.code).toBe('N2');
    expect(tools.requestedView).toMatchObject({ pan: 40, tilt: 3 });
    await store.selectTag(undefined);
    expect(store.selectedTag).toBeUndefined();
  });

  it('leaves a node that sees only a small part of a tag, but not for a line', async () => {
    const seenFrom = [
      { node: 'node-N1', pan: 30, tilt: 2, distance: 3, visible: 0.2 },
      { node: 'node-N3', pan: 50, tilt: 4, distance: 5, visible: 0.3 },
      { node: 'node-N2', pan: 40, tilt: 3, distance: 9, visible: 0.6 },
    ];
    const { store, server } = await setup();
    server.on('GET /api/tour/:location/tags/:number', { status: 200, body: buildTag('V-101', { seenFrom }) });
    await store.open('unit');
    await store.goToTag('V-101');
    expect(store.currentNode?.code).toBe('N3');
    const pipe = { service: 'PG', nps: '6', outsideDiameter: 0.168, from: 'V-101', to: 'V-102' };
    server.on('GET /api/tour/:location/tags/:number', { status: 200, body: buildTag('PG-1', { seenFrom, pipe }) });
    store.goTo('node-N1');
    await store.goToTag('PG-1');
    expect(store.currentNode?.code).toBe('N1');
  });

  it('binds a display option to a layer and replaces invalid values of the layer', async () => {
    const { store } = await setup();
    await store.open('unit');
    store.setLayer('look', 'dark');
    const appearance = observable.box<string | undefined>('light');
    const unbind = store.setViewLayer(
      'look',
      () => appearance.get(),
      action((value) => value !== 'nonsense' && appearance.set(value)),
    );
    expect(appearance.get()).toBe('dark');
    runInAction(() => appearance.set('grey'));
    expect(store.layers).toEqual({ look: 'grey' });
    store.setLayer('look', 'nonsense');
    expect([appearance.get(), store.layers['look']]).toEqual(['grey', 'grey']);
    store.setLayer('look', undefined);
    expect(appearance.get()).toBeUndefined();
    unbind();
    runInAction(() => appearance.set('light'));
    expect(store.layers).toEqual({});
  });
});

describe('tour tools', () => {
  it('[TOUR-04] provides the mode, the path of the panorama, and the views of scan and panorama', async () => {
    const { store, tools } = await setup();
    await store.open('unit');
    expect(tools.panoFilePath).toBe('/api/files/N1');
    expect(tools.viewConfigurations).toEqual({
      panorama: { pan: 10, tilt: -5, fov: 75, panoCode: 'N1' },
      scan: { pan: 0, tilt: 0, fov: 75 },
    });
    tools.setMode('TRU_VIEW');
    tools.setView({ tilt: 120, fov: 5 });
    expect(tools.mode).toBe('TRU_VIEW');
    expect(tools.viewConfigurations).toEqual({
      panorama: { pan: 10, tilt: -5, fov: 75, panoCode: 'N1' },
      scan: { pan: 10, tilt: 90, fov: 15 },
    });
  });

  it('[TOUR-05] keeps the direction when the view type changes', async () => {
    const { tools } = await setup();
    tools.setView({ pan: 123.4, tilt: -33, fov: 50 });
    for (const mode of ['TRU_VIEW', 'THREE_D_MODEL', 'PANO'] as const) {
      tools.setMode(mode);
      expect(tools.view).toEqual({ pan: 123.4, tilt: -33, fov: 50 });
    }
  });

  it('[TOUR-23] reports a display option of a link that has no effect, but not one that is applied', async () => {
    const { store } = await setup();
    await store.open('unit', { layers: { section: 'z12', mode: 'broken' } });
    const appliedValues = observable({
      section: undefined as string | undefined,
      mode: undefined as string | undefined,
    });
    for (const name of ['section', 'mode'] as const) {
      const applyValue = action((value: string | undefined) => {
        if (value !== 'broken') appliedValues[name] = value;
      });
      for (let times = 0; times < 2; times++) {
        store.setLayer(name, name === 'mode' ? 'broken' : 'z12');
        store.setViewLayer(name, () => appliedValues[name], applyValue)();
      }
    }
    expect(store.missingParts).toEqual([{ message: 'tour.link.layer', values: { name: 'mode' } }]);
  });

  it('[TOUR-23] keeps the tag of a link selected if a lost connection prevents loading it', async () => {
    const { store, server } = await setup();
    server.on('GET /api/tour/:location/tags/:number', () => {
      throw new ConnectionLostError();
    });
    await store.open('unit', { tag: 'V-101' });
    expect([store.selectedTag?.state, store.missingParts, store.currentNode?.code]).toEqual(['failure', [], 'N1']);
  });
});
