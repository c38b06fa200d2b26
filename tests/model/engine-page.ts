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
import type { CameraView } from '../../plugins/tour/contract/index.ts';
import { EasedCameraControllers } from '../../plugins/tour/web/viewer/walk/eased-camera-controllers.ts';
import { createSamplePlant } from '../../plugins/model-3d/web/viewer/sample/sample-plant.ts';
import { waitForState, waitForFrame } from '../browser/wait-for-state.ts';

/**
 * Shows the engine in a page of its own, and the same file in a reference scene. There, three.js draws one mesh for
 * each object with the materials of the file, without batches.
 */
const host = document.querySelector('#host') as HTMLElement;
const pose = { position: [0, 0, 0] as const, heading: 0, scale: 1 };
const defaultAppearance: Appearance3d = { selected: [], hidden: new Set(), xray: false, section: undefined };
const events: string[] = [];
let engine: ThreeModelEngine | undefined;
let content: ModelContent | undefined;
let detach = (): void => undefined;
/** URLs of fetched tiles and pictures. */
const fetchedUrls: string[] = [];
/** Matching requests fail, wait until they are cancelled, or return a truncated file. */
let failPattern: RegExp | undefined;
let stallPattern: RegExp | undefined;
let stalledRequests = 0;
let truncatePattern: RegExp | undefined;
let loadContent: (() => Promise<ModelContent>) | undefined;

interface ReferenceScene {
  readonly renderer: WebGLRenderer;
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
  readonly model: Object3D;
}
let reference: ReferenceScene | undefined;

const toPattern = (pattern: string | undefined): RegExp | undefined =>
  pattern === undefined ? undefined : new RegExp(pattern);

/** Never resolves. Rejects when the signal is aborted. */
const waitForAbort = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });

/** Describes the state of the tiles for the message of a wait that ends without success. */
const describeTiles = (): unknown => ({
  tiles: engine?.tiles,
  fetchedTiles: fetchedUrls.length,
  isMemoryFull: DEFAULT_LRU_CACHE.isFull(),
  isContextLost: engine?.lost,
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
  async open(url: string | undefined, initialView: Partial<CameraView> = {}): Promise<number> {
    engine = new ThreeModelEngine(new EasedCameraControllers());
    for (const event of ['contextLost', 'contextRestored'] as const) engine.on(event, () => events.push(event));
    content =
      url === undefined
        ? createSamplePlant()
        : await readModel(await (await fetch(url)).arrayBuffer(), { uid: 'M', name: 'Model', pose });
    engine.show(content);
    engine.setView(initialView);
    detach = engine.attach(host, { label: 'Model' });
    await waitForFrame();
    return content.objects.length;
  },
  /** Shows the tiled model whose `tileset.json` is at `url`. Resolves when its object list is loaded. */
  async openTiled(url: string, initialView: Partial<CameraView> = {}): Promise<number> {
    engine = new ThreeModelEngine(new EasedCameraControllers());
    for (const event of ['contextLost', 'contextRestored'] as const) engine.on(event, () => events.push(event));
    const fetchBytes = async (file: string): Promise<ArrayBuffer> => (await fetch(file)).arrayBuffer();
    loadContent = async () =>
      readTiledModel(
        {
          url,
          tileset: new TextDecoder().decode(await fetchBytes(url)),
          objects: await fetchBytes(url.replace('tileset.json', 'objects.json.gz')),
          fetch: async (fileUrl, signal) => {
            if (failPattern?.test(fileUrl)) throw new Error('The connection was lost.');
            if (stallPattern?.test(fileUrl)) {
              stalledRequests += 1;
              await waitForAbort(signal);
            }
            const response = await fetch(fileUrl, { signal });
            if (!response.ok) throw new Error(`${fileUrl} answered ${response.status}.`);
            fetchedUrls.push(fileUrl);
            const bytes = await response.arrayBuffer();
            return truncatePattern?.test(fileUrl) ? bytes.slice(0, bytes.byteLength / 2) : bytes;
          },
        },
        { uid: 'M', name: 'Model', pose },
      );
    await page.reopen();
    engine.setView(initialView);
    detach = engine.attach(host, { label: 'Model' });
    return content?.objects.length ?? 0;
  },
  /** Loads the same tiled model again. */
  async reopen(): Promise<void> {
    content = await loadContent?.();
    if (content) engine?.show(content);
  },
  /** Resolves when the GPU has drawn the first frame. */
  async waitForFirstFrame(): Promise<void> {
    const firstFrame = Math.max(1, engine?.statistics.frames ?? 0);
    await waitForState('the first frame', () => (engine?.statistics.frames ?? 0) >= firstFrame, describeTiles);
    await waitForFrame();
  },
  /** Resolves when a frame shows the first tiles. */
  async waitForFirstTiles(): Promise<void> {
    await waitForState('the first tiles', () => (page.engine.tiles?.shownCount ?? 0) > 0, describeTiles);
    await waitForFrame();
  },
  /** Counts the transferred bytes of model files, as they were compressed. */
  countTransferredBytes: (): number =>
    performance
      .getEntriesByType('resource')
      .reduce(
        (sum, entry) => sum + (entry.name.endsWith('.js') ? 0 : (entry as PerformanceResourceTiming).encodedBodySize),
        0,
      ),
  /** Limits the bytes of tiles in memory. */
  limitMemory: (bytes: number): void =>
    void Object.assign(DEFAULT_LRU_CACHE, { minBytesSize: bytes / 2, maxBytesSize: bytes }),
  listFetchedUrls: (): readonly string[] => fetchedUrls,
  /** Makes matching requests fail. */
  failFiles: (pattern: string | undefined): void => void (failPattern = toPattern(pattern)),
  /** Makes matching requests wait until they are cancelled. */
  stallFiles: (pattern: string | undefined): void => void (stallPattern = toPattern(pattern)),
  countStalledRequests: (): number => stalledRequests,
  /** Returns only the first half of matching files. */
  truncateFiles: (pattern: string | undefined): void => void (truncatePattern = toPattern(pattern)),
  /** Resolves when a pick at a pixel returns the object. */
  async waitForObject(object: number, { x, y }: { readonly x: number; readonly y: number }): Promise<void> {
    await waitForState(
      `object ${object} under the pointer`,
      () => page.engine.pick(x, y)?.object === object,
      () => [page.engine.pick(x, y)?.object, describeTiles()],
    );
  },
  /** Resolves when all visible tiles are loaded or have failed. */
  async waitForTiles(): Promise<{ readonly shownCount: number; readonly failedCount: number }> {
    await waitForFrame();
    await waitForState('the visible tiles', () => page.engine.tiles?.loading === false, describeTiles);
    const { shownCount, failedCount } = page.engine.tiles!;
    return { shownCount, failedCount };
  },
  /** Resolves like `waitForTiles`, but only when more than some number of tiles are shown. */
  async waitForMoreTiles(
    previousCount: number,
  ): Promise<{ readonly shownCount: number; readonly failedCount: number }> {
    await waitForState(
      `more than ${previousCount} tiles`,
      () => (page.engine.tiles?.shownCount ?? 0) > previousCount,
      describeTiles,
    );
    return page.waitForTiles();
  },
  async openReference(url: string): Promise<void> {
    const renderer = new WebGLRenderer({ antialias: true });
    renderer.setSize(host.clientWidth, host.clientHeight);
    host.append(renderer.domElement);
    const scene = new Scene();
    const sun = new DirectionalLight(0xffffff, 1.7);
    sun.position.set(-0.5, -0.7, 1.1);
    scene.add(new HemisphereLight(0xffffff, 0x777d85, 2.1), sun);
    await MeshoptDecoder.ready;
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
    const { scene: model } = await loader.parseAsync(await (await fetch(url)).arrayBuffer(), '');
    model.applyMatrix4(toMatrix(pose));
    scene.add(model);
    const camera = new PerspectiveCamera(75, host.clientWidth / host.clientHeight, 0.05, 1000);
    camera.up.set(0, 0, 1);
    reference = { renderer, scene, camera, model };
    page.setReferenceView(0);
    renderer.render(scene, camera);
  },
  /** Computes the view at a fraction of a full turn around the model. */
  computeView(fraction: number): {
    readonly position: readonly [number, number, number];
    readonly pan: number;
    readonly tilt: number;
    readonly fov: number;
  } {
    const angle = fraction * Math.PI * 2;
    const { max } = engine!.computeBounds()!;
    const [middle, radius] = [max[0] / 2, max[0] * 0.62];
    const [x, y] = [middle + radius * Math.sin(angle), middle + radius * Math.cos(angle)];
    return {
      position: [x, y, max[0] * 0.14],
      pan: (Math.atan2(middle - x, middle - y) * 180) / Math.PI,
      tilt: -14,
      fov: 75,
    };
  },
  setView(fraction: number): void {
    engine?.setView(page.computeView(fraction));
  },
  setReferenceView(fraction: number): void {
    const { position, pan, tilt } = page.computeView(fraction);
    const [panRadians, tiltRadians] = [(pan * Math.PI) / 180, (tilt * Math.PI) / 180];
    const { camera } = reference!;
    camera.position.set(...position);
    camera.lookAt(
      position[0] + Math.sin(panRadians) * Math.cos(tiltRadians),
      position[1] + Math.cos(panRadians) * Math.cos(tiltRadians),
      position[2] + Math.sin(tiltRadians),
    );
    camera.updateMatrixWorld();
  },
  /** Counts the frames that are drawn while the camera moves around the model. */
  async countFrames(scene: 'own' | 'reference', milliseconds: number): Promise<number> {
    const start = performance.now();
    let frames = 0;
    for (let elapsed = 0; elapsed < milliseconds; elapsed = performance.now() - start) {
      if (scene === 'own') page.setView(elapsed / 20_000);
      else {
        page.setReferenceView(elapsed / 20_000);
        reference?.renderer.render(reference.scene, reference.camera);
      }
      await waitForFrame();
      frames += 1;
    }
    return frames;
  },
  /** Resolves when half a second has passed without a new frame. */
  async waitForRest(): Promise<void> {
    for (let frames = -1; frames !== engine?.statistics.frames;) {
      frames = engine?.statistics.frames ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 500));
      for (let frame = 0; frame < 3; frame++) await waitForFrame();
    }
  },
  countDrawCalls: (scene: 'own' | 'reference'): number =>
    scene === 'own' ? (engine?.statistics.drawCalls ?? 0) : (reference?.renderer.info.render.calls ?? 0),
  /** Returns the tags of the objects under some pixels, by the engine and by the reference scene. */
  comparePicks(
    fraction: number,
    count: number,
  ): readonly { readonly own: string | undefined; readonly reference: string | undefined }[] {
    page.setView(fraction);
    page.setReferenceView(fraction);
    const raycaster = new Raycaster();
    const { clientWidth, clientHeight } = host;
    const picks: { readonly own: string | undefined; readonly reference: string | undefined }[] = [];
    for (let index = 0; picks.length < count && index < count * 100; index++) {
      const [x, y] = [
        60 + ((index * 137.5) % (clientWidth - 120)),
        clientHeight * 0.35 + ((index * 71.3) % (clientHeight * 0.6)),
      ];
      raycaster.setFromCamera(new Vector2((x / clientWidth) * 2 - 1, 1 - (y / clientHeight) * 2), reference!.camera);
      const [referenceHit] = raycaster.intersectObject(reference!.model, true);
      let taggedObject: Object3D | null | undefined = referenceHit?.object;
      while (taggedObject && taggedObject.userData['tag'] === undefined) taggedObject = taggedObject.parent;
      if (!taggedObject) continue;
      const hit = engine?.pick(x, y);
      picks.push({ own: hit && content?.objects[hit.object]?.tag, reference: String(taggedObject.userData['tag']) });
    }
    return picks;
  },
  get engine(): ThreeModelEngine {
    if (!engine) throw new Error('The page has not opened a model.');
    return engine;
  },
  setAppearance: (changes: Partial<Appearance3d>): void => engine?.setAppearance({ ...defaultAppearance, ...changes }),
  findObjectId: (tag: string): number => content?.objects.find((object) => object.tag === tag)?.id ?? -1,
  nextFrame: waitForFrame,
  async loseContext(): Promise<void> {
    const context = host.querySelector('canvas')?.getContext('webgl2')?.getExtension('WEBGL_lose_context');
    context?.loseContext();
    await waitForState('the lost context', () => events.includes('contextLost'), describeTiles);
    context?.restoreContext();
    await waitForState('the restored context', () => events.includes('contextRestored'), describeTiles);
    await waitForFrame();
  },
  /** Replaces the model by the sample. */
  showSample(): void {
    content = createSamplePlant();
    engine?.show(content);
  },
  close(): void {
    detach();
    engine?.dispose();
  },
};
export type ModelPage = typeof page;
Object.assign(window, { modelPage: page });
