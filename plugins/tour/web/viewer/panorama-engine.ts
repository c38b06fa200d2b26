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
import { toDirection, Emitter } from '#core';
import { Announcer } from './announcer.ts';
import { drawPictures } from './draw-pictures.ts';
import { Graphics, readStatistics } from './graphics.ts';
import { followDevice } from './input/gyroscope-input.ts';
import { listenToKeys } from './input/keyboard-input.ts';
import { listenToPointers, type InputTarget } from './input/pointer-input.ts';
import { createCamera, directionOfPixel, pixelOfDirection, type Camera } from './math/camera.ts';
import { SceneController, type ShowOptions } from './scene-controller.ts';
import { PinLayer } from './pins/pin-layer.ts';
import { reducedMotion } from './reduced-motion.ts';
import { ShapeLayer } from './shapes/shape-layer.ts';
import type { ScenePlan } from './scene-plan.ts';
import { PanoramaSurface } from './surface/panorama-surface.ts';
import { TilePrefetcher } from './tile-prefetcher.ts';
import { fetchEarly } from './tiles/preview-store.ts';
import { TileLoader, type TileRequest } from './tiles/tile-loader.ts';
import { ViewMotion } from './view-motion.ts';

/** Tile uploads per frame. Two keep up with six fetches without dropping frames. */
const uploadsPerFrame = 2;
/** Milliseconds without movement until the view counts as settled. */
const settlingMs = 150;

export class WebGlPanoramaEngine implements PanoramaEngine {
  readonly #events = new Emitter<PanoramaEvents>();
  readonly #motion = new ViewMotion();
  readonly #pins = new PinLayer();
  readonly #shapes = new ShapeLayer();
  readonly #root = document.createElement('div');
  readonly #loader = new TileLoader(
    () => this.#draw(),
    () => this.#setTilesMissing(true),
  );
  #tilesMissing = false;
  #graphics: Graphics | undefined;
  #attached = false;
  #clear: readonly PanoramaArea[] = [];
  /** Undefined for the original pictures. */
  #correction: PictureCorrection | undefined;
  #width = 0;
  #height = 0;
  readonly #ahead = new TilePrefetcher();
  /** The view has not moved for a moment. */
  #settled = true;
  #scheduled = 0;
  #dirty = false;
  #frame = 0;
  #plan: ScenePlan | undefined;
  readonly #announcer = new Announcer(this.#events, this.#motion.view);
  readonly #scene = new SceneController({
    engine: this,
    events: this.#events,
    announcer: this.#announcer,
    graphics: () => this.#graphics,
    draw: () => this.#draw(),
  });
  #settle: ReturnType<typeof setTimeout> | undefined;
  #stopFollowing: (() => void) | undefined;

  constructor() {
    Object.assign(this.#root.style, {
      position: 'absolute',
      inset: '0',
      overflow: 'hidden',
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
    const early = first && !this.#graphics ? fetchEarly(first) : undefined;
    const graphics = (this.#graphics ??= new Graphics(
      host,
      () => this.#onLost(),
      () => this.#onRestored(),
      () => this.#draw(),
      early,
    ));
    this.#root.setAttribute('aria-label', label);
    // Keeps other elements above the picture: an engine is reused by several modules, which remove their own elements.
    this.#root.prepend(graphics.canvas, this.#shapes.element, this.#pins.element);
    host.append(this.#root);
    this.#attached = true;
    this.#fit(host.clientWidth, host.clientHeight);
    const observer = new ResizeObserver(() => this.#fit(this.#root.clientWidth, this.#root.clientHeight));
    observer.observe(this.#root);
    const ends = [
      () => observer.disconnect(),
      listenToPointers(this.#root, this.#inputTarget),
      listenToKeys(this.#root, this.#inputTarget, () => void this.#goHome()),
    ];
    return () => {
      if (this.#root.parentElement === host) this.#detach();
      for (const end of ends) end();
    };
  }

  setView(view: Partial<PanoramaView>): void {
    this.#motion.stop();
    this.#motion.set(view);
    this.#draw();
  }

  turnTo(view: Partial<PanoramaView>, milliseconds = 600): Promise<void> {
    const turned = this.#motion.turnTo(view, reducedMotion() ? 1 : milliseconds, performance.now());
    this.#draw();
    return turned;
  }

  show(picture: PanoramaPicture, options: ShowOptions = {}): Promise<boolean> {
    return this.#scene.show(picture, options);
  }

  retryTiles(): void {
    this.#setTilesMissing(false);
    this.#loader.retry();
    this.#draw();
  }

  preload(pictures: readonly PanoramaPicture[]): void {
    this.#ahead.replace(pictures);
    const previews = this.#graphics?.previews;
    if (!previews) return;
    previews.keepOnly(new Set([...this.#scene.pictures, ...this.#ahead.pictures].map(({ tiles }) => tiles.id)));
    if (this.#scene.current) previews.load(this.#scene.current).catch(() => undefined);
    this.#draw();
  }

  setPins(pins: readonly PanoramaPin[]): void {
    this.#pins.set(pins);
    this.#draw();
  }

  setShapes(shapes: readonly PanoramaShape[]): void {
    this.#shapes.set(shapes);
    this.#draw();
  }

  compare(picture: PanoramaPicture | undefined, share = 0.5): Promise<boolean> {
    return this.#scene.compare(picture, share);
  }

  keepClear(areas: readonly PanoramaArea[]): void {
    this.#clear = areas;
    this.#keepClear();
  }

  correct(correction: PictureCorrection): void {
    this.#correction = correction.brightness === 0 && correction.contrast === 0 ? undefined : correction;
    this.#draw();
  }

  surface(module: string): PanoramaSurface {
    return new PanoramaSurface(module, { engine: this, host: this.#root, picture: () => this.#scene.current });
  }

  picture(): Promise<Blob> {
    const graphics = this.#graphics;
    if (!graphics || graphics.lost || !this.#attached)
      return Promise.reject(new Error('There is no panorama on screen.'));
    // The browser keeps the drawing buffer only until the end of this task.
    this.#drawFrame(graphics, performance.now());
    return new Promise((resolve, reject) => {
      graphics.canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('The browser could not make a picture of the panorama.'))),
        'image/png',
      );
    });
  }

  toPixel(pan: number, tilt: number): { readonly x: number; readonly y: number } | undefined {
    return pixelOfDirection(this.#pageCamera(), toDirection(pan, tilt));
  }

  directionAt(x: number, y: number): { readonly pan: number; readonly tilt: number } {
    return directionOfPixel(this.#pageCamera(), x, y);
  }

  async followDevice(on: boolean): Promise<boolean> {
    this.#stopFollowing?.();
    this.#stopFollowing = on ? await followDevice(this.#inputTarget) : undefined;
    return this.#stopFollowing !== undefined;
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
      changed: () => this.#draw(),
      reducedMotion,
    };
  }

  /** Engine-wide areas are in pixels of the window; the pins need pixels of this picture. */
  #keepClear(): void {
    const { left, top } = this.#root.getBoundingClientRect();
    this.#pins.keepClear(this.#clear.map((area) => ({ ...area, left: area.left - left, top: area.top - top })));
    this.#draw();
  }

  #goHome(): Promise<void> {
    return this.turnTo({ pan: this.#scene.current?.heading ?? 0, tilt: 0, fov: 75 }, 400);
  }

  #fit(width: number, height: number): void {
    this.#width = width;
    this.#height = height;
    this.#graphics?.resize(width, height);
    this.#keepClear();
    this.#events.emit('resized', undefined);
  }

  #detach(): void {
    this.#root.remove();
    this.#attached = false;
    this.#motion.stop();
    this.#scene.clear();
    this.#ahead.replace([]);
    this.#loader.clear();
    this.#setTilesMissing(false);
    this.#graphics?.previews.keepOnly(new Set());
    this.#pins.set([]);
    this.#shapes.set([]);
    this.#stopFollowing?.();
    this.#stopFollowing = undefined;
    this.#announcer.forgetPicture();
    clearTimeout(this.#settle);
    cancelAnimationFrame(this.#scheduled);
    this.#scheduled = 0;
  }

  #setTilesMissing(missing: boolean): void {
    if (missing === this.#tilesMissing) return;
    this.#tilesMissing = missing;
    this.#events.emit('tilesMissing', missing);
  }

  #onLost(): void {
    this.#loader.clear();
    this.#setTilesMissing(false);
    this.#scene.endTransition();
    this.#events.emit('contextLost', undefined);
  }

  #onRestored(): void {
    this.#scene.loadAgain();
    this.preload(this.#ahead.pictures);
    this.#announcer.forgetPicture();
    this.#draw();
    this.#events.emit('contextRestored', undefined);
  }

  #pageCamera(): Camera {
    return createCamera(this.#motion.view, this.#width, this.#height);
  }

  /** Requests a frame. */
  #draw(): void {
    this.#dirty = true;
    if (this.#scheduled === 0 && this.#attached) this.#scheduled = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now: number): void {
    this.#scheduled = 0;
    const graphics = this.#graphics;
    if (!graphics || graphics.lost || this.#width === 0 || this.#height === 0) return;
    const moved = this.#motion.step(now);
    const uploaded = this.#upload(graphics);
    if (moved || uploaded || this.#dirty || this.#scene.transition) {
      this.#dirty = false;
      this.#drawFrame(graphics, now);
    }
    if (this.#motion.moving || this.#scene.transition || this.#loader.arrivals.length > 0) this.#draw();
  }

  #upload(graphics: Graphics): boolean {
    let uploads = 0;
    for (; uploads < uploadsPerFrame; uploads++) {
      const arrival = this.#loader.arrivals.shift();
      if (!arrival) break;
      graphics.tiles.add(
        arrival.request.key,
        arrival.request.picture,
        arrival.request.place,
        arrival.bitmap,
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
    graphics.renderer.correction = this.#correction;
    const plans = drawPictures(graphics, camera, frame, now, scene);
    this.#plan = plans.at(scene.transition ? 0 : -1);
    this.#fetch(graphics, camera, plans);
    const page = this.#pageCamera();
    this.#pins.place(page, this.#motion.view.pan);
    this.#shapes.place(page);
    this.#announce(graphics);
  }

  /**
   * Fetches visible tiles first, so that the picture is sharp soon on a slow connection. Previews, first tiles and
   * range meshes of neighbouring pictures follow.
   */
  #fetch(graphics: Graphics, camera: Camera, plans: readonly ScenePlan[]): void {
    const missing: readonly TileRequest[] = plans.flatMap((plan) => plan.missing);
    const ahead =
      missing.length > 0 || this.#scene.transition || !this.#settled ? [] : this.#ahead.choose(graphics, camera);
    if (missing.length > 0 || ahead.length > 0 || this.#loader.busy) this.#loader.want([...missing, ...ahead]);
    if (missing.length > 0 && this.#loader.busy) return;
    for (const picture of this.#ahead.takeOnce()) graphics.previews.load(picture).catch(() => undefined);
    if (!this.#scene.current || reducedMotion()) return;
    for (const picture of this.#ahead.pictures.length > 0 ? [this.#scene.current, ...this.#ahead.pictures] : [])
      void graphics.previews.loadMesh(picture);
  }

  #announce(graphics: Graphics): void {
    const { view } = this.#motion;
    const id = this.#scene.transition ? undefined : this.#scene.current?.tiles.id;
    const shown =
      id !== undefined && this.#scene.current && (this.#plan?.covered || graphics.previews.ready(this.#scene.current))
        ? id
        : undefined;
    this.#announcer.announce({ view, shown, sharp: this.#plan?.missing.length === 0 });
    if (this.#plan?.missing.length === 0 && !this.#scene.transition) this.#setTilesMissing(false);
    if (this.#announcer.viewMoved) this.#startSettling();
  }

  #startSettling(): void {
    this.#settled = false;
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => {
      this.#settled = true;
      this.#draw();
    }, settlingMs);
  }
}
