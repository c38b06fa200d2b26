import type {
  PanoramaArea,
  PanoramaEngine,
  PanoramaEvents,
  PanoramaPicture,
  PanoramaPin,
  PanoramaShape,
  PanoramaStatistics,
  PanoramaView,
  PictureCorrection,
} from '#plugins/tour';
import { toDirection, Emitter, type Point3 } from '#core';
import { FrameEventEmitter } from './frame-event-emitter.ts';
import { drawPictures } from './draw-pictures.ts';
import { Graphics, readStatistics } from './graphics.ts';
import { followDevice } from './input/gyroscope-input.ts';
import { listenToKeys } from './input/keyboard-input.ts';
import { listenToPointers, type InputTarget } from './input/pointer-input.ts';
import { createCamera, computePanTilt, projectDirection, type Camera } from './math/camera.ts';
import { SceneController, type ShowOptions } from './scene-controller.ts';
import { PinLayer } from './pins/pin-layer.ts';
import { hasReducedMotion } from './reduced-motion.ts';
import { ShapeLayer } from './shapes/shape-layer.ts';
import type { ScenePlan } from './scene-plan.ts';
import { PanoramaSurface, type SurfaceContext } from './surface/panorama-surface.ts';
import { TilePrefetcher } from './tile-prefetcher.ts';
import { fetchEarlyPreview } from './tiles/preview-store.ts';
import { TileLoader, type TileRequest } from './tiles/tile-loader.ts';
import { ViewMotion } from './view-motion.ts';

/** Two uploads per frame are enough for six concurrent fetches and drop no frames. */
const uploadsPerFrame = 2;
/** Milliseconds without movement until tiles of other pictures are fetched. */
const settlingMs = 150;
/** Milliseconds after a detach within which another module shows the last picture until it has its own. */
const keptPictureMs = 1_000;

export class WebGlPanoramaEngine implements PanoramaEngine {
  readonly #events = new Emitter<PanoramaEvents>();
  readonly #motion = new ViewMotion();
  readonly #pins = new PinLayer();
  readonly #shapes = new ShapeLayer();
  readonly #root = document.createElement('div');
  readonly #loader = new TileLoader(
    () => this.#requestFrame(),
    () => this.#setTilesMissing(true),
  );
  #tilesMissing = false;
  #graphics: Graphics | undefined;
  #attached = false;
  #detachedAt = 0;
  #coveredAreas: readonly PanoramaArea[] = [];
  /** Undefined for the original pictures. */
  #correction: PictureCorrection | undefined;
  #width = 0;
  #height = 0;
  readonly #prefetcher = new TilePrefetcher();
  /** True if the view has not moved for `settlingMs`. */
  #settled = true;
  #requestedFrame = 0;
  #needsDraw = false;
  #frame = 0;
  #plan: ScenePlan | undefined;
  /** Position of the eye in the last frame. */
  #eye: Point3 | undefined;
  readonly #frameEvents = new FrameEventEmitter(this.#events, this.#motion.view);
  readonly #scene = new SceneController({
    engine: this,
    events: this.#events,
    frameEvents: this.#frameEvents,
    graphics: () => this.#graphics,
    requestFrame: () => this.#requestFrame(),
  });
  #settleTimer: ReturnType<typeof setTimeout> | undefined;
  #stopFollowing: (() => void) | undefined;
  readonly #depthLookup: SurfaceContext['depthLookup'];

  /** @param depthLookup finds the depth of pictures without ranges. Default: such pictures have no depth */
  constructor(depthLookup?: SurfaceContext['depthLookup']) {
    this.#depthLookup = depthLookup;
    Object.assign(this.#root.style, {
      position: 'absolute',
      inset: '0',
      overflow: 'clip',
      touchAction: 'none',
      userSelect: 'none',
      outlineOffset: '-3px',
      background: '#000',
    });
    this.#root.tabIndex = 0;
    this.#root.setAttribute('role', 'application');
  }

  get view(): PanoramaView {
    return this.#motion.view;
  }

  get attached(): boolean {
    return this.#attached;
  }

  get lost(): boolean {
    return this.#graphics?.lost ?? false;
  }

  get followsDevice(): boolean {
    return this.#stopFollowing !== undefined;
  }

  get statistics(): PanoramaStatistics {
    return readStatistics(this.#graphics, this.#plan, this.#frame);
  }

  on<K extends keyof PanoramaEvents>(event: K, listener: (value: PanoramaEvents[K]) => void): () => void {
    return this.#events.on(event, listener);
  }

  attach(
    host: HTMLElement,
    { label, first }: { readonly label: string; readonly first?: PanoramaPicture },
  ): () => void {
    const earlyPreview = first && !this.#graphics ? fetchEarlyPreview(first) : undefined;
    const graphics = (this.#graphics ??= new Graphics(
      host,
      () => this.#handleLost(),
      () => this.#handleRestored(),
      () => this.#requestFrame(),
      earlyPreview,
    ));
    this.#root.setAttribute('aria-label', label);
    // Prepended, because elements of the module that uses the engine must stay above the picture.
    this.#root.prepend(graphics.canvas, this.#shapes.element, this.#pins.element);
    host.append(this.#root);
    this.#attached = true;
    if (performance.now() - this.#detachedAt > keptPictureMs) this.#scene.clear();
    this.#resize(host.clientWidth, host.clientHeight);
    const observer = new ResizeObserver(() => this.#resize(this.#root.clientWidth, this.#root.clientHeight));
    observer.observe(this.#root);
    const cleanups = [
      () => observer.disconnect(),
      listenToPointers(this.#root, this.#inputTarget),
      listenToKeys(this.#root, this.#inputTarget, () => void this.#resetView()),
    ];
    return () => {
      if (this.#root.parentElement === host) this.#detach();
      for (const cleanup of cleanups) cleanup();
    };
  }

  setView(view: Partial<PanoramaView>): void {
    this.#motion.stop();
    this.#motion.set(view);
    this.#requestFrame();
  }

  turnTo(view: Partial<PanoramaView>, milliseconds = 600): Promise<void> {
    const completion = this.#motion.turnTo(view, hasReducedMotion() ? 1 : milliseconds, performance.now());
    this.#requestFrame();
    return completion;
  }

  show(picture: PanoramaPicture, options: ShowOptions = {}): Promise<boolean> {
    return this.#scene.show(picture, options);
  }

  retryTiles(): void {
    this.#setTilesMissing(false);
    this.#loader.retry();
    this.#requestFrame();
  }

  preload(pictures: readonly PanoramaPicture[]): void {
    this.#prefetcher.replace(pictures);
    const previews = this.#graphics?.previews;
    if (!previews) return;
    previews.abortOthers(new Set([...this.#scene.pictures, ...this.#prefetcher.pictures].map(({ tiles }) => tiles.id)));
    if (this.#scene.current) previews.load(this.#scene.current).catch(() => undefined);
    this.#requestFrame();
  }

  setPins(pins: readonly PanoramaPin[]): void {
    this.#pins.set(pins);
    this.#requestFrame();
  }

  setShapes(shapes: readonly PanoramaShape[]): void {
    this.#shapes.set(shapes);
    this.#requestFrame();
  }

  compare(picture: PanoramaPicture | undefined, fraction = 0.5): Promise<boolean> {
    return this.#scene.compare(picture, fraction);
  }

  setCoveredAreas(areas: readonly PanoramaArea[]): void {
    this.#coveredAreas = areas;
    this.#updateCoveredAreas();
  }

  correct(correction: PictureCorrection): void {
    this.#correction = correction.brightness === 0 && correction.contrast === 0 ? undefined : correction;
    this.#requestFrame();
  }

  surface(module: string): PanoramaSurface {
    return new PanoramaSurface(module, {
      engine: this,
      host: this.#root,
      picture: () => (this.#scene.isKept ? undefined : this.#scene.current),
      eye: () => (this.#scene.transition ? this.#eye : this.#scene.current?.position),
      ...(this.#depthLookup && { depthLookup: this.#depthLookup }),
    });
  }

  takePicture(): Promise<Blob> {
    const graphics = this.#graphics;
    if (!graphics || graphics.lost || !this.#attached)
      return Promise.reject(new Error('There is no panorama on screen.'));
    // The browser keeps the drawing buffer only until the end of this task.
    this.#drawFrame(graphics, performance.now());
    return new Promise((resolve, reject) => {
      graphics.canvas.toBlob(
        (blob) =>
          blob ? resolve(blob) : reject(new Error('The browser could not encode the picture of the panorama.')),
        'image/png',
      );
    });
  }

  toPixel(pan: number, tilt: number): { readonly x: number; readonly y: number } | undefined {
    return projectDirection(this.#createPageCamera(), toDirection(pan, tilt));
  }

  directionAt(x: number, y: number): { readonly pan: number; readonly tilt: number } {
    return computePanTilt(this.#createPageCamera(), x, y);
  }

  async followDevice(on: boolean): Promise<boolean> {
    this.#setFollowing(undefined);
    const stop = on ? await followDevice(this.#inputTarget) : undefined;
    if (stop && !this.#attached) {
      stop();
      return false;
    }
    this.#setFollowing(stop);
    return stop !== undefined;
  }

  /** Stops following the device, and stores the function that stops the new following, if any. */
  #setFollowing(stop: (() => void) | undefined): void {
    const { followsDevice } = this;
    this.#stopFollowing?.();
    this.#stopFollowing = stop;
    if (followsDevice !== this.followsDevice) this.#events.emit('followsDevice', this.followsDevice);
  }

  get #inputTarget(): InputTarget {
    const motion = this.#motion;
    const width = (): number => this.#width;
    const height = (): number => this.#height;
    return {
      motion,
      get width() {
        return width();
      },
      get height() {
        return height();
      },
      onChange: () => this.#requestFrame(),
      reducedMotion: hasReducedMotion,
    };
  }

  /** Converts the areas from pixels of the window to pixels of this picture. */
  #updateCoveredAreas(): void {
    const { left, top } = this.#root.getBoundingClientRect();
    this.#pins.setCoveredAreas(
      this.#coveredAreas.map((area) => ({ ...area, left: area.left - left, top: area.top - top })),
    );
    this.#requestFrame();
  }

  #resetView(): Promise<void> {
    return this.turnTo({ pan: this.#scene.current?.heading ?? 0, tilt: 0, fov: 75 }, 400);
  }

  #resize(width: number, height: number): void {
    this.#width = width;
    this.#height = height;
    this.#graphics?.resize(width, height);
    this.#updateCoveredAreas();
    this.#events.emit('resized', undefined);
  }

  #detach(): void {
    this.#root.remove();
    this.#attached = false;
    this.#detachedAt = performance.now();
    this.#motion.stop();
    this.#scene.stop();
    this.#prefetcher.replace([]);
    this.#loader.clear();
    this.#setTilesMissing(false);
    this.#graphics?.previews.abortOthers(new Set());
    this.#pins.set([]);
    this.#shapes.set([]);
    this.#setFollowing(undefined);
    this.#frameEvents.resetPicture();
    clearTimeout(this.#settleTimer);
    cancelAnimationFrame(this.#requestedFrame);
    this.#requestedFrame = 0;
  }

  #setTilesMissing(missing: boolean): void {
    if (missing === this.#tilesMissing) return;
    this.#tilesMissing = missing;
    this.#events.emit('tilesMissing', missing);
  }

  #handleLost(): void {
    this.#loader.clear();
    this.#setTilesMissing(false);
    this.#scene.endTransition();
    this.#events.emit('contextLost', undefined);
  }

  #handleRestored(): void {
    this.#scene.reload();
    this.preload(this.#prefetcher.pictures);
    this.#frameEvents.resetPicture();
    this.#requestFrame();
    this.#events.emit('contextRestored', undefined);
  }

  #createPageCamera(): Camera {
    return createCamera(this.#motion.view, this.#width, this.#height);
  }

  #requestFrame(): void {
    this.#needsDraw = true;
    if (this.#requestedFrame === 0 && this.#attached)
      this.#requestedFrame = requestAnimationFrame((now) => this.#handleFrame(now));
  }

  #handleFrame(now: number): void {
    this.#requestedFrame = 0;
    const graphics = this.#graphics;
    if (!graphics || graphics.lost || this.#width === 0 || this.#height === 0) return;
    const hasMoved = this.#motion.step(now);
    const hasUploaded = this.#uploadTiles(graphics);
    if (hasMoved || hasUploaded || this.#needsDraw || this.#scene.transition) {
      this.#needsDraw = false;
      this.#drawFrame(graphics, now);
    }
    if (this.#motion.moving || this.#scene.transition || this.#loader.loaded.length > 0) this.#requestFrame();
  }

  #uploadTiles(graphics: Graphics): boolean {
    let uploads = 0;
    for (; uploads < uploadsPerFrame; uploads++) {
      const loadedTile = this.#loader.loaded.shift();
      if (!loadedTile) break;
      graphics.tiles.add(
        loadedTile.request.key,
        loadedTile.request.picture,
        loadedTile.request.bounds,
        loadedTile.bitmap,
        this.#frame,
      );
    }
    return uploads > 0;
  }

  #drawFrame(graphics: Graphics, now: number): void {
    const frame = ++this.#frame;
    const camera = createCamera(this.#motion.view, graphics.canvas.width, graphics.canvas.height);
    const scene = this.#scene;
    scene.advance(now);
    this.#eye = scene.computeEye(now);
    graphics.renderer.correction = this.#correction;
    const plans = drawPictures(graphics, camera, frame, now, scene);
    this.#plan = plans.at(scene.transition ? 0 : -1);
    this.#fetchTiles(graphics, camera, plans);
    const pageCamera = this.#createPageCamera();
    this.#pins.layOut(pageCamera, this.#motion.view.pan);
    this.#shapes.layOut(pageCamera);
    this.#emitEvents(graphics);
  }

  /**
   * Fetches the visible tiles first, so that the picture is soon sharp on a slow connection. Previews, range meshes and
   * a few tiles of other pictures follow.
   */
  #fetchTiles(graphics: Graphics, camera: Camera, plans: readonly ScenePlan[]): void {
    const missingTiles: readonly TileRequest[] = plans.flatMap((plan) => plan.missing);
    const isBusy = missingTiles.length > 0 || this.#scene.transition !== undefined || !this.#settled;
    const prefetchRequests = isBusy ? [] : this.#prefetcher.chooseTiles(graphics, camera);
    if (missingTiles.length > 0 || prefetchRequests.length > 0 || this.#loader.busy)
      this.#loader.setRequests([...missingTiles, ...prefetchRequests]);
    if (missingTiles.length > 0 && this.#loader.busy) return;
    for (const picture of this.#prefetcher.takeOnce()) graphics.previews.load(picture).catch(() => undefined);
    if (!this.#scene.current || hasReducedMotion()) return;
    for (const picture of this.#prefetcher.pictures.length > 0
      ? [this.#scene.current, ...this.#prefetcher.pictures]
      : [])
      void graphics.previews.loadMesh(picture);
  }

  #emitEvents(graphics: Graphics): void {
    const { view } = this.#motion;
    const { current, transition } = this.#scene;
    if (transition) this.#events.emit('transitionDrawn', undefined);
    const id = transition ? undefined : current?.tiles.id;
    const isShown = current && (this.#plan?.covered || graphics.previews.findReady(current));
    const shownId = isShown ? id : undefined;
    this.#frameEvents.emitChanges({ view, shownId, isSharp: this.#plan?.missing.length === 0 });
    if (this.#plan?.missing.length === 0 && !this.#scene.transition) this.#setTilesMissing(false);
    if (this.#frameEvents.viewChanged) this.#startSettling();
  }

  #startSettling(): void {
    this.#settled = false;
    clearTimeout(this.#settleTimer);
    this.#settleTimer = setTimeout(() => {
      this.#settled = true;
      this.#requestFrame();
    }, settlingMs);
  }
}
