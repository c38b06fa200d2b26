import { describe, expect, it, vi } from 'vitest';
import { Emitter, type Point3 } from '#core';
import { WebGlUnavailable, type TourStore, type ViewerCamera, type ViewerEngine } from '#plugins/tour';
import type { TourNode } from '#plugins/tour/api';
import { MobxTourTools } from '../stores/mobx-tour-tools.ts';
import { MobxViewer } from './mobx-viewer.ts';

const ownModule = 'own.module';
const otherModule = 'other.module';

class FakeViewerEngine implements ViewerEngine {
  lost = false;
  readonly #events = new Emitter<{ contextLost: undefined; contextRestored: undefined }>();

  on(event: 'contextLost' | 'contextRestored', listener: () => void): () => void {
    return this.#events.on(event, listener);
  }

  emit(event: 'contextLost' | 'contextRestored'): void {
    this.#events.emit(event, undefined);
  }
}

function setup() {
  const tools = new MobxTourTools();
  tools.setView({ pan: 10, tilt: 2, fov: 60 });
  tools.setPosition([1, 2, 3]);
  const store = {
    moveTo: vi.fn((position: Point3, author: string) => tools.setPosition(position, author)),
  };
  const viewer = new MobxViewer<'noPicture'>(
    { module: ownModule, formatReason: (error) => (error === 'nothing' ? 'noPicture' : undefined) },
    store as unknown as TourStore,
    tools,
  );
  return { viewer, tools, store };
}

const createCamera = () => ({ setView: vi.fn(), turnTo: vi.fn() });
/** Creates a camera that is bound to viewpoints. */
function createBoundCamera(tools: MobxTourTools) {
  const camera = {
    ...createCamera(),
    viewpoint: vi.fn(() => tools.panoFilePath),
    moveToViewpoint: vi.fn(),
  } satisfies ViewerCamera;
  const goTo = (path: string) => tools.setPanorama(undefined, path);
  return { camera, goTo };
}

describe('engine of a viewer', () => {
  it('calls the cleanup functions of the engine in reverse order', async () => {
    const { viewer } = setup();
    const calls: string[] = [];
    const end = viewer.start({
      open: async () => new FakeViewerEngine(),
      enter: () => [() => calls.push('first'), () => calls.push('second')],
      reload: () => undefined,
    });
    await Promise.resolve();
    end();
    expect(calls).toEqual(['second', 'first']);
  });

  it('discards the engine if the viewer was unmounted while the engine was created', async () => {
    const { viewer } = setup();
    const enter = vi.fn(() => []);
    const discard = vi.fn();
    const engine = Promise.resolve(new FakeViewerEngine());
    viewer.start({ open: () => engine, enter, discard, reload: () => undefined })();
    await engine;
    expect([enter.mock.calls.length, discard.mock.calls.length]).toEqual([0, 1]);
  });

  it('opens the engine on retry and reloads on retry once the engine exists', () => {
    const { viewer } = setup();
    const open = vi
      .fn(() => new FakeViewerEngine())
      .mockImplementationOnce(() => {
        throw new WebGlUnavailable();
      });
    const reload = vi.fn();
    viewer.start({ open, enter: () => [], reload });
    expect(viewer.status).toEqual({ state: 'failed', reason: 'noWebGl' });
    viewer.retry();
    expect([open.mock.calls.length, reload.mock.calls.length]).toEqual([2, 0]);
    expect(viewer.status).toEqual({ state: 'loading' });
    viewer.retry();
    expect([open.mock.calls.length, reload.mock.calls.length]).toEqual([2, 1]);
  });

  it('reports a context that was lost before or after the viewer started', () => {
    const { viewer } = setup();
    const engine = Object.assign(new FakeViewerEngine(), { lost: true });
    viewer.start({ open: () => engine, enter: () => [], reload: () => undefined });
    expect(viewer.contextLost).toBe(true);
    engine.emit('contextRestored');
    expect(viewer.contextLost).toBe(false);
    engine.emit('contextLost');
    expect(viewer.contextLost).toBe(true);
  });
});

describe('load of a viewer', () => {
  it('sets the status that the task resolves with', async () => {
    const { viewer } = setup();
    const completion = viewer.load(async () => ({ state: 'ready' }));
    expect(viewer.status).toEqual({ state: 'loading' });
    await completion;
    expect(viewer.status).toEqual({ state: 'ready' });
  });

  it('aborts the previous load and ignores its result', async () => {
    const { viewer } = setup();
    const signals: AbortSignal[] = [];
    const first = viewer.load(async (signal) => {
      signals.push(signal);
      return { state: 'empty', reason: 'noPicture' };
    });
    const second = viewer.load(async () => ({ state: 'ready' }));
    await Promise.all([first, second]);
    expect([signals[0]?.aborted, viewer.status.state]).toEqual([true, 'ready']);
  });

  it.each([
    ['nothing', 'noPicture'],
    [new WebGlUnavailable(), 'noWebGl'],
    [new Error('unknown'), 'failed'],
  ])('reports the reason of the error (%s)', async (error, reason) => {
    const { viewer } = setup();
    await viewer.load(() => Promise.reject(error as Error));
    expect(viewer.status).toEqual({ state: 'failed', reason });
  });
});

describe('viewer in the tour', () => {
  it("[TOUR-05] starts with the tour's view, and follows other viewers but not its own reports", () => {
    const { viewer, tools, store } = setup();
    const camera = createCamera();
    const stop = viewer.follow(camera);
    expect(camera.setView.mock.lastCall).toEqual([{ pan: 10, tilt: 2, fov: 60, position: [1, 2, 3] }]);
    viewer.report({ pan: 90, tilt: 0, fov: 50, position: [4, 5, 6] });
    expect([tools.view, store.moveTo.mock.lastCall]).toEqual([{ pan: 90, tilt: 0, fov: 50 }, [[4, 5, 6], ownModule]]);
    expect(camera.setView).toHaveBeenCalledOnce();
    tools.setView({ pan: 100 }, otherModule);
    expect(camera.setView.mock.lastCall).toEqual([{ pan: 100, tilt: 0, fov: 50 }]);
    tools.setPosition([7, 8, 9], otherModule);
    expect(camera.setView.mock.lastCall).toEqual([{ position: [7, 8, 9] }]);
    stop();
    tools.setView({ pan: 110 }, otherModule);
    expect(camera.setView).toHaveBeenCalledTimes(3);
  });

  it('keeps the author of a view when a following viewer reports the same view', () => {
    const { viewer, tools, store } = setup();
    tools.setView({ pan: 100 }, otherModule);
    viewer.report({ ...tools.view, position: tools.position! });
    expect([tools.viewAuthor, store.moveTo.mock.calls.length]).toEqual([otherModule, 0]);
  });

  it('turns to a requested view at once or with easing', () => {
    const { viewer, tools } = setup();
    const camera = createCamera();
    viewer.follow(camera);
    tools.look({ pan: 45 }, true);
    expect(camera.turnTo.mock.lastCall).toEqual([{ pan: 45 }]);
    tools.look({ pan: 50 }, false);
    expect([camera.setView.mock.lastCall, tools.view.pan]).toEqual([[{ pan: 50 }], 50]);
  });

  it("sets the tour's view before the first viewpoint is loaded, and does not turn at later viewpoints", () => {
    const { viewer, tools } = setup();
    const { camera, goTo } = createBoundCamera(tools);
    goTo('A');
    viewer.follow(camera);
    expect([camera.moveToViewpoint.mock.lastCall, camera.setView.mock.lastCall]).toEqual([[undefined], [tools.view]]);
    goTo('B');
    expect(camera.moveToViewpoint.mock.lastCall).toEqual([undefined]);
    tools.look({ pan: 45 }, true);
    expect([camera.turnTo.mock.lastCall, camera.moveToViewpoint.mock.calls.length]).toEqual([[{ pan: 45 }], 2]);
  });

  it('ignores views of the tour itself if the camera is bound to viewpoints', () => {
    const { viewer, tools } = setup();
    const { camera } = createBoundCamera(tools);
    viewer.follow(camera);
    tools.setView({ pan: 120 });
    expect(camera.setView).toHaveBeenCalledOnce();
    tools.setView({ pan: 130 }, otherModule);
    expect(camera.setView.mock.lastCall).toEqual([{ pan: 130, tilt: 2, fov: 60 }]);
  });
});

describe('viewer of nodes', () => {
  const [first, second, third] = ['first', 'second', 'third'].map((uid) => ({ uid }) as TourNode) as [
    TourNode,
    TourNode,
    TourNode,
  ];

  function setupNodes() {
    const store = {
      currentNode: first as TourNode | undefined,
      secondaryModule: undefined as string | undefined,
      links: [
        { from: 'first', to: 'second' },
        { from: 'second', to: 'third' },
      ],
      goTo: vi.fn((uid: string) => {
        store.currentNode = [first, second, third].find((node) => node.uid === uid);
      }),
    };
    const viewer = new MobxViewer<'noPicture'>(
      { module: ownModule },
      store as unknown as TourStore,
      new MobxTourTools(),
    );
    viewer.setNodeOnScreen(first);
    return { store, viewer };
  }

  it('returns to the node on screen, and goes to the unreachable node again on request', () => {
    const { store, viewer } = setupNodes();
    store.goTo('second');
    expect(viewer.returnToNodeOnScreen()).toBe(true);
    expect([store.currentNode, viewer.unreachableNode]).toEqual([first, second]);
    viewer.setNodeOnScreen(first);
    expect(viewer.unreachableNode).toBe(second);
    viewer.goToUnreachableNode();
    expect([store.currentNode, viewer.unreachableNode]).toEqual([second, undefined]);
  });

  it('clears the unreachable node when another node is requested, when its notice is dismissed, and when the viewer is unmounted', () => {
    const { store, viewer } = setupNodes();
    const fail = (): void => {
      store.goTo('second');
      viewer.returnToNodeOnScreen();
      viewer.setNodeOnScreen(first);
    };
    fail();
    viewer.setNodeOnScreen(third);
    expect(viewer.unreachableNode).toBeUndefined();
    viewer.setNodeOnScreen(first);
    fail();
    viewer.dismissUnreachableNode();
    expect(viewer.unreachableNode).toBeUndefined();
    fail();
    viewer.start({ open: () => new FakeViewerEngine(), enter: () => [], reload: () => undefined })();
    expect([viewer.nodeOnScreen, viewer.unreachableNode]).toEqual([undefined, undefined]);
  });

  it('reports no unreachable node if there is no other node on screen to return to', () => {
    const { store, viewer } = setupNodes();
    store.goTo('second');
    viewer.returnToNodeOnScreen();
    // The picture of the node on screen cannot be loaded again either.
    expect(viewer.returnToNodeOnScreen()).toBe(false);
    expect([store.goTo.mock.calls.length, viewer.unreachableNode]).toEqual([2, undefined]);
  });

  it('does not change the node in a split view', () => {
    const { store, viewer } = setupNodes();
    store.secondaryModule = otherModule;
    store.goTo('second');
    expect(viewer.returnToNodeOnScreen()).toBe(false);
    expect(store.currentNode).toBe(second);
  });

  it('walks along links, even if the next node is requested before the picture of the last node', () => {
    const { viewer } = setupNodes();
    expect([first, second, third, first].map((node) => viewer.beginTransition(node))).toEqual([
      'fade',
      'walk',
      'walk',
      'fade',
    ]);
  });
});
