import {
  DirectionalLight,
  HemisphereLight,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  WebGLRenderer,
  type Object3D,
} from 'three';
import { DEFAULT_LRU_CACHE } from '3d-tiles-renderer/core';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import type { Appearance3d } from '../../plugins/model-3d/web/viewer/engine-types.ts';
import type { ModelContent } from '../../plugins/model-3d/web/viewer/model-content.ts';
import { toMatrix, readModel } from '../../plugins/model-3d/web/viewer/read-model.ts';
import { readTiledModel } from '../../plugins/model-3d/web/viewer/tiles/read-tiled-model.ts';
import { ThreeModelEngine } from '../../plugins/model-3d/web/viewer/three-model-engine.ts';
import type { EyeView } from '../../plugins/tour/contract/index.ts';
import { EasedCameraControllers } from '../../plugins/tour/web/viewer/walk/eased-camera-controllers.ts';
import { samplePlant } from '../../plugins/model-3d/web/viewer/sample/sample-plant.ts';
import { waitForFrames, waitForFrame } from '../browser/wait-for-frames.ts';

/**
 * Shows the engine alone in a page, and the same file drawn plainly by three.js with one mesh per object and the file's
 * materials. The plain scene is the reference for batching and picking.
 */
const host = document.querySelector('#host') as HTMLElement;
const pose = { position: [0, 0, 0] as const, heading: 0, scale: 1 };
const looks: Appearance3d = { selected: [], hidden: new Set(), xray: false, section: undefined };
const events: string[] = [];
let engine: ThreeModelEngine | undefined;
let content: ModelContent | undefined;
let detach = (): void => undefined;
/** URLs of fetched tiles and images, and patterns of requests to fail, truncate or delay. */
const fetched: string[] = [];
let broken: RegExp | undefined;
let stalled: RegExp | undefined;
let stalledRequests = 0;
let cut: RegExp | undefined;
let opened: (() => Promise<ModelContent>) | undefined;

interface Naive {
  readonly renderer: WebGLRenderer;
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
  readonly model: Object3D;
}
let naive: Naive | undefined;

const aborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });

/** State for stalled waits: tiles, their memory, and reported failures. */
const tileState = (): unknown => ({
  tiles: engine?.tiles,
  fetched: fetched.length,
  isMemoryFull: DEFAULT_LRU_CACHE.isFull(),
  lost: engine?.lost,
  errors,
});
const errors: string[] = [];
const { error: printError } = console;
console.error = (...args: unknown[]) => {
  errors.push(args.map(String).join(' '));
  printError(...args);
};

const page = {
  events,
  async open(address: string | undefined, from: Partial<EyeView> = {}): Promise<number> {
    engine = new ThreeModelEngine(new EasedCameraControllers());
    for (const event of ['contextLost', 'contextRestored'] as const) engine.on(event, () => events.push(event));
    content =
      address === undefined
        ? samplePlant()
        : await readModel(await (await fetch(address)).arrayBuffer(), { uid: 'M', name: 'Model', pose });
    engine.show(content);
    engine.setState(from);
    detach = engine.attach(host, { label: 'Model' });
    await waitForFrame();
    return content.objects.length;
  },
  /** Shows the tiled model whose `tileset.json` is at `address`. Resolves once its object list is loaded. */
  async openTiled(address: string, from: Partial<EyeView> = {}): Promise<number> {
    engine = new ThreeModelEngine(new EasedCameraControllers());
    for (const event of ['contextLost', 'contextRestored'] as const) engine.on(event, () => events.push(event));
    const bytes = async (of: string): Promise<ArrayBuffer> => (await fetch(of)).arrayBuffer();
    opened = async () =>
      readTiledModel(
        {
          address,
          tileset: new TextDecoder().decode(await bytes(address)),
          objects: await bytes(address.replace('tileset.json', 'objects.json.gz')),
          fetch: async (of, signal) => {
            if (broken?.test(of)) throw new Error('The line broke.');
            if (stalled?.test(of)) {
              stalledRequests += 1;
              await aborted(signal);
            }
            const response = await fetch(of, { signal });
            if (!response.ok) throw new Error(`${of} answered ${response.status}.`);
            fetched.push(of);
            const whole = await response.arrayBuffer();
            return cut?.test(of) ? whole.slice(0, whole.byteLength / 2) : whole;
          },
        },
        { uid: 'M', name: 'Model', pose },
      );
    await page.openAgain();
    engine.setState(from);
    detach = engine.attach(host, { label: 'Model' });
    return content?.objects.length ?? 0;
  },
  /** Reloads the same model. */
  async openAgain(): Promise<void> {
    content = await opened?.();
    if (content) engine?.show(content);
  },
  /** Resolves when the GPU has drawn the first frame. */
  async drawn(): Promise<void> {
    const before = Math.max(1, engine?.statistics.frames ?? 0);
    await waitForFrames('the first frame', () => (engine?.statistics.frames ?? 0) >= before, tileState);
    await waitForFrame();
  },
  /** Resolves when a frame shows the first tiles. */
  async firstTiles(): Promise<void> {
    await waitForFrames('the first tiles', () => (page.engine.tiles?.shown ?? 0) > 0, tileState);
    await waitForFrame();
  },
  /** Transferred bytes for what is on screen, compressed. */
  bytes: (): number =>
    performance
      .getEntriesByType('resource')
      .reduce(
        (sum, entry) => sum + (entry.name.endsWith('.js') ? 0 : (entry as PerformanceResourceTiming).encodedBodySize),
        0,
      ),
  /** Maximum bytes of tiles in memory. */
  limitMemory: (bytes: number): void =>
    void Object.assign(DEFAULT_LRU_CACHE, { minBytesSize: bytes / 2, maxBytesSize: bytes }),
  fetched: (): readonly string[] => fetched,
  breakLine: (of: string | undefined): void => void (broken = of === undefined ? undefined : new RegExp(of)),
  /** Makes matching requests wait until they are cancelled. */
  stallFiles: (of: string | undefined): void => void (stalled = of === undefined ? undefined : new RegExp(of)),
  stalledRequests: (): number => stalledRequests,
  cutFiles: (of: string | undefined): void => void (cut = of === undefined ? undefined : new RegExp(of)),
  /** Resolves when the object is under a pixel. */
  async pickable(object: number, { x, y }: { readonly x: number; readonly y: number }): Promise<void> {
    await waitForFrames(
      `object ${object} under the pointer`,
      () => page.engine.pick(x, y)?.object === object,
      () => [page.engine.pick(x, y)?.object, tileState()],
    );
  },
  /** Resolves when nothing visible is loading any more. */
  async tilesThere(): Promise<{ readonly shown: number; readonly failed: number }> {
    await waitForFrame();
    await waitForFrames('the tiles in sight', () => page.engine.tiles?.loading === false, tileState);
    const { shown, failed } = page.engine.tiles!;
    return { shown, failed };
  },
  /** Resolves when more than this many tiles are shown and nothing visible is loading. */
  async moreTiles(than: number): Promise<{ readonly shown: number; readonly failed: number }> {
    await waitForFrames(`more than ${than} tiles`, () => (page.engine.tiles?.shown ?? 0) > than, tileState);
    return page.tilesThere();
  },
  async openNaive(address: string): Promise<void> {
    const renderer = new WebGLRenderer({ antialias: true });
    renderer.setSize(host.clientWidth, host.clientHeight);
    host.append(renderer.domElement);
    const scene = new Scene();
    const sun = new DirectionalLight(0xffffff, 1.7);
    sun.position.set(-0.5, -0.7, 1.1);
    scene.add(new HemisphereLight(0xffffff, 0x777d85, 2.1), sun);
    await MeshoptDecoder.ready;
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
    const { scene: model } = await loader.parseAsync(await (await fetch(address)).arrayBuffer(), '');
    model.applyMatrix4(toMatrix(pose));
    scene.add(model);
    const camera = new PerspectiveCamera(75, host.clientWidth / host.clientHeight, 0.05, 1000);
    camera.up.set(0, 0, 1);
    naive = { renderer, scene, camera, model };
    page.lookNaive(0);
    renderer.render(scene, camera);
  },
  /** The camera view at a share of a full turn around the field. */
  stand(share: number): {
    readonly position: readonly [number, number, number];
    readonly pan: number;
    readonly tilt: number;
    readonly fov: number;
  } {
    const angle = share * Math.PI * 2;
    const { max } = engine!.computeBounds()!;
    const [middle, reach] = [max[0] / 2, max[0] * 0.62];
    const [x, y] = [middle + reach * Math.sin(angle), middle + reach * Math.cos(angle)];
    return {
      position: [x, y, max[0] * 0.14],
      pan: (Math.atan2(middle - x, middle - y) * 180) / Math.PI,
      tilt: -14,
      fov: 75,
    };
  },
  look(share: number): void {
    engine?.setState(page.stand(share));
  },
  lookNaive(share: number): void {
    const { position, pan, tilt } = page.stand(share);
    const [p, t] = [(pan * Math.PI) / 180, (tilt * Math.PI) / 180];
    const { camera } = naive!;
    camera.position.set(...position);
    camera.lookAt(
      position[0] + Math.sin(p) * Math.cos(t),
      position[1] + Math.cos(p) * Math.cos(t),
      position[2] + Math.sin(t),
    );
    camera.updateMatrixWorld();
  },
  /** Number of frames drawn in these milliseconds of moving around. */
  async frames(which: 'own' | 'naive', milliseconds: number): Promise<number> {
    const start = performance.now();
    let frames = 0;
    for (let gone = 0; gone < milliseconds; gone = performance.now() - start) {
      if (which === 'own') page.look(gone / 20_000);
      else {
        page.lookNaive(gone / 20_000);
        naive?.renderer.render(naive.scene, naive.camera);
      }
      await waitForFrame();
      frames += 1;
    }
    return frames;
  },
  /** Resolves when the GPU has finished, including the frame at rest. */
  async rest(): Promise<void> {
    for (let drawn = -1; drawn !== engine?.statistics.frames;) {
      drawn = engine?.statistics.frames ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 500));
      for (let frame = 0; frame < 3; frame++) await waitForFrame();
    }
  },
  draws: (which: 'own' | 'naive'): number =>
    which === 'own' ? (engine?.statistics.drawCalls ?? 0) : (naive?.renderer.info.render.calls ?? 0),
  /**
   * Names of the objects under the pixels where the plain scene has an object, by the batches and by the plain scene.
   */
  picks(
    share: number,
    count: number,
  ): readonly { readonly own: string | undefined; readonly naive: string | undefined }[] {
    page.look(share);
    page.lookNaive(share);
    const raycaster = new Raycaster();
    const { clientWidth, clientHeight } = host;
    const answers: { readonly own: string | undefined; readonly naive: string | undefined }[] = [];
    for (let index = 0; answers.length < count && index < count * 100; index++) {
      const [x, y] = [
        60 + ((index * 137.5) % (clientWidth - 120)),
        clientHeight * 0.35 + ((index * 71.3) % (clientHeight * 0.6)),
      ];
      raycaster.setFromCamera(new Vector2((x / clientWidth) * 2 - 1, 1 - (y / clientHeight) * 2), naive!.camera);
      const [truth] = raycaster.intersectObject(naive!.model, true);
      let named: Object3D | null | undefined = truth?.object;
      while (named && named.userData['tag'] === undefined) named = named.parent;
      if (!named) continue;
      const hit = engine?.pick(x, y);
      answers.push({ own: hit && content?.objects[hit.object]?.tag, naive: String(named.userData['tag']) });
    }
    return answers;
  },
  get engine(): ThreeModelEngine {
    if (!engine) throw new Error('The page shows no model yet.');
    return engine;
  },
  looks: (changes: Partial<Appearance3d>): void => engine?.setAppearance({ ...looks, ...changes }),
  findObjectId: (tag: string): number => content?.objects.find((object) => object.tag === tag)?.id ?? -1,
  nextFrame: waitForFrame,
  async loseContext(): Promise<void> {
    const context = host.querySelector('canvas')?.getContext('webgl2')?.getExtension('WEBGL_lose_context');
    context?.loseContext();
    await waitForFrames('the loss of the context', () => events.includes('contextLost'), tileState);
    context?.restoreContext();
    await waitForFrames('the context', () => events.includes('contextRestored'), tileState);
    await waitForFrame();
  },
  again(): void {
    content = samplePlant();
    engine?.show(content);
  },
  close(): void {
    detach();
    engine?.dispose();
  },
};
export type ModelPage = typeof page;
Object.assign(window, { modelPage: page });
