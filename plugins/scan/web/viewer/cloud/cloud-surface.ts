import { Emitter, type Point3 } from '#core';
import type { EyeView, CameraControllers, MovingDetail, SurfacePick, ViewSurface } from '#plugins/tour';
import { cloudCamera, project, type CloudCamera } from './cloud-camera.ts';
import { CloudGraphics, type CloudLook } from './cloud-graphics.ts';
import { CloudUnreadable, type CloudNode, type OpenCloud } from './cloud-node.ts';
import { connectedPoints } from './connected-points.ts';
import { DepthGrid } from './depth-grid.ts';
import { NodeLoader, type NodeFailed } from './node-loader.ts';
import { openCopc } from './open-copc.ts';
import { openTiles } from './open-tiles.ts';
import { pickPoint, pointsAround } from './pick-point.ts';
import { ShownNodes } from './shown-nodes.ts';
import { chooseDefaultLook } from './choose-default-look.ts';

export interface CloudAddress {
  readonly kind: 'TILES' | 'COPC';
  readonly address: string;
}

export interface CloudSurfaceOptions {
  /** Id of the tour module. */
  readonly module: string;
  readonly view: EyeView;
  /** Maximum number of points on screen. */
  readonly budget?: number;
  /** Background colour: red, green, blue of 0 to 1. */
  readonly background?: readonly [number, number, number];
}

export interface CloudEvents {
  /** Loading has finished or started again. */
  settled: boolean;
  /** A part failed to load. Call `retry` to load it again. `refused`: see `NodeFailed`. */
  failed: { readonly reason: string; readonly refused: boolean };
  /** A frame was drawn. */
  frame: undefined;
  contextLost: undefined;
  contextRestored: undefined;
}

export interface CloudStatistics {
  /** Name of the graphics card; empty if unknown or before the first frame. */
  readonly renderer: string;
  /** Milliseconds since the surface was created. */
  readonly frames: number;
  readonly points: number;
  readonly drawn: number;
  readonly uploaded: number;
}

const defaultPointBudget = 1_000_000;
/** Stride during movement on slow graphics cards: every n-th point is drawn. */
const everyCoarse = 4;

/** The interface between a module and a cloud on screen. */
export type ShownCloud = Pick<CloudSurface, keyof CloudSurface>;

/**
 * A point cloud on screen. Streams levels of detail within a point budget, draws on changes, and answers picks. Call
 * `attach` first, then `open`; the owner moves the eye by `setView`.
 */
export class CloudSurface implements ViewSurface {
  readonly module: string;
  readonly host = document.createElement('div');
  readonly #nodes: ShownNodes;
  readonly #events = new Emitter<CloudEvents>();
  readonly #loader: NodeLoader;
  readonly #detail: MovingDetail;
  readonly #background: readonly [number, number, number];
  #graphics: CloudGraphics | undefined;
  #cloud: OpenCloud | undefined;
  #view: EyeView;
  #look: CloudLook = { coloring: 'RGB', intensity: [0, 1], height: [0, 1], clip: undefined, size: 1 };
  #stretched = false;
  #width = 1;
  #height = 1;
  #camera: CloudCamera;
  #frames = 0;
  #scheduled = 0;
  #settled = true;
  #depths: DepthGrid | undefined;
  #opening: AbortController | undefined;
  /** Nodes whose children failed to load. */
  #closed = new WeakSet<CloudNode>();
  /** Children of visible nodes are still loading. */
  #expanding = false;

  constructor(
    walks: Pick<CameraControllers, 'createDetail'>,
    { module, view, budget = defaultPointBudget, background = [0.05, 0.06, 0.07] }: CloudSurfaceOptions,
    loader?: (onLoaded: () => void, failed: NodeFailed) => NodeLoader,
  ) {
    this.module = module;
    this.#view = view;
    this.#nodes = new ShownNodes(budget, (node) => this.#graphics?.drop(node));
    this.#background = background;
    this.#detail = walks.createDetail(() => this.#draw());
    this.#camera = cloudCamera(view, 1, 1);
    const onLoaded = (): void => this.#draw();
    const failed: NodeFailed = (reason, refused) => {
      this.#events.emit('failed', { reason, refused });
      this.#draw();
    };
    this.#loader = loader?.(onLoaded, failed) ?? new NodeLoader(onLoaded, failed);
    Object.assign(this.host.style, { position: 'absolute', inset: '0', overflow: 'hidden', touchAction: 'none' });
  }

  get view(): EyeView {
    return this.#view;
  }

  get look(): CloudLook {
    return this.#look;
  }

  get lost(): boolean {
    return this.#graphics?.lost ?? false;
  }

  get cloud(): OpenCloud | undefined {
    return this.#cloud;
  }

  get statistics(): CloudStatistics {
    return {
      renderer: this.#graphics?.renderer ?? '',
      frames: this.#frames,
      points: this.#nodes.points,
      drawn: this.#nodes.shown.filter(({ tile }) => tile).length,
      uploaded: this.#graphics?.uploadedCount ?? 0,
    };
  }

  /** Attaches the canvas to an element and follows its size. Returns a cleanup function. Throws `WebGlUnavailable`. */
  attach(parent: HTMLElement): () => void {
    this.#graphics ??= new CloudGraphics(
      () => this.#events.emit('contextLost', undefined),
      () => {
        this.#events.emit('contextRestored', undefined);
        this.#draw();
      },
    );
    this.host.prepend(this.#graphics.canvas);
    parent.append(this.host);
    this.#fit();
    const observer = new ResizeObserver(() => this.#fit());
    observer.observe(this.host);
    return () => {
      observer.disconnect();
      this.host.remove();
    };
  }

  /** Loads and shows another cloud. Rejects with `CloudUnreadable` or a network error. */
  async open({ kind, address }: CloudAddress): Promise<OpenCloud> {
    this.#opening?.abort();
    const opening = new AbortController();
    this.#opening = opening;
    if (kind === 'COPC') this.#loader.prepareCopc();
    const cloud = await (kind === 'COPC' ? openCopc(address, opening.signal) : openTiles(address, opening.signal));
    opening.signal.throwIfAborted();
    this.#take(cloud);
    return cloud;
  }

  /** Shows a cloud whose root is loaded. */
  show(cloud: OpenCloud): void {
    this.#opening?.abort();
    this.#take(cloud);
  }

  #take(cloud: OpenCloud): void {
    this.#forget();
    this.#cloud = cloud;
    this.#look = {
      ...this.#look,
      coloring: cloud.colored ? this.#look.coloring : 'INTENSITY',
      height: [cloud.box.minimum[2], cloud.box.maximum[2]],
    };
    this.#stretched = false;
    this.#draw();
  }

  setView(view: Partial<EyeView>): void {
    this.#view = { ...this.#view, ...view };
    this.#draw();
  }

  setLook(look: Partial<CloudLook>): void {
    this.#look = { ...this.#look, ...look };
    this.#draw();
  }

  /** Retries everything that failed to load. */
  retry(): void {
    this.#closed = new WeakSet();
    this.#loader.retry();
    this.#draw();
  }

  /** During loading, a pick could hit what is behind a missing part. */
  ready(): Promise<void> {
    const isThere = (): boolean => this.#scheduled === 0 && this.#cloud !== undefined && !this.#busy;
    if (isThere()) return Promise.resolve();
    return new Promise((resolve) => {
      const off = this.onChanged(() => {
        if (!isThere()) return;
        off();
        resolve();
      });
    });
  }

  async pick(x: number, y: number): Promise<SurfacePick | undefined> {
    const found = pickPoint(this.#nodes.shown, this.#camera, x, y, this.#look.clip);
    return (
      found && {
        point: found.point,
        normal: found.normal,
        source: 'POINT_CLOUD',
        sigma: found.sigma,
        edge: found.edge,
      }
    );
  }

  async patch({ point }: SurfacePick, radius: number): Promise<Float64Array> {
    return connectedPoints(pointsAround(this.#nodes.cached, point, radius, this.#look.clip), point, radius);
  }

  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined {
    const place = project(this.#camera, point);
    return place && { x: place.x, y: place.y };
  }

  sees(point: Point3): boolean {
    this.#depths ??= new DepthGrid(this.#nodes.shown, this.#camera, this.#look.clip);
    return this.#depths.sees(point);
  }

  on<K extends keyof CloudEvents>(event: K, listener: (value: CloudEvents[K]) => void): () => void {
    return this.#events.on(event, listener);
  }

  onChanged(listener: () => void): () => void {
    return this.#events.on('frame', listener);
  }

  async takePicture(): Promise<Blob> {
    const graphics = this.#graphics;
    if (!graphics) throw new Error('The point cloud is not on screen.');
    this.#paint(1);
    return graphics.picture();
  }

  /** Releases all resources. The surface cannot be used again. */
  close(): void {
    this.#opening?.abort();
    cancelAnimationFrame(this.#scheduled);
    this.#detail.end();
    this.#loader.close();
    this.#forget();
    this.#graphics?.close();
    this.#graphics = undefined;
    this.host.remove();
  }

  get #busy(): boolean {
    return this.#expanding || this.#loader.busy;
  }

  #fit(): void {
    this.#width = Math.max(1, this.host.clientWidth);
    this.#height = Math.max(1, this.host.clientHeight);
    this.#graphics?.resize(this.#width, this.#height, Math.min(2, window.devicePixelRatio));
    this.#draw();
  }

  #draw(): void {
    if (this.#scheduled !== 0) return;
    this.#detail.onFrameRequested();
    this.#scheduled = requestAnimationFrame(() => {
      this.#scheduled = 0;
      this.#paint(this.#detail.coarse ? everyCoarse : 1);
      this.#graphics?.watch(this.#detail);
      this.#events.emit('frame', undefined);
    });
  }

  /** @param every one point of so many is drawn */
  #paint(every: number): void {
    this.#camera = cloudCamera(this.#view, this.#width, this.#height);
    this.#depths = undefined;
    this.#frames++;
    if (this.#cloud) this.#choose(this.#cloud);
    this.#graphics?.draw(
      this.#nodes.shown,
      this.#camera,
      withinClip(this.#look),
      this.#background,
      (node) => this.#nodes.getSpacing(node),
      every,
    );
    this.#reportSettled();
  }

  #choose(cloud: OpenCloud): void {
    const unknown = this.#nodes.choose(cloud.root, this.#camera).filter((node) => !this.#closed.has(node));
    this.#expanding = unknown.length > 0;
    for (const node of unknown) {
      node.expand?.().then(
        () => this.#draw(),
        (error: unknown) => {
          if (this.#closed.has(node)) return;
          this.#closed.add(node);
          this.#events.emit('failed', {
            reason: error instanceof Error ? error.message : String(error),
            refused: error instanceof CloudUnreadable && error.refused,
          });
          this.#draw();
        },
      );
    }
    this.#loader.want(this.#nodes.shown);
    const { tile } = cloud.root;
    if (this.#stretched || !tile) return;
    this.#stretched = true;
    this.#look = { ...this.#look, ...chooseDefaultLook(tile) };
  }

  #forget(): void {
    this.#loader.want([]);
    this.#nodes.clear();
    this.#cloud = undefined;
  }

  #reportSettled(): void {
    const settled = this.#cloud !== undefined && !this.#busy;
    if (settled === this.#settled) return;
    this.#settled = settled;
    this.#events.emit('settled', settled);
  }
}

/** A clipping box rescales the height colours to itself. */
function withinClip(look: CloudLook): CloudLook {
  const { clip } = look;
  return clip ? { ...look, height: [clip.centre[2] - clip.half[2], clip.centre[2] + clip.half[2]] } : look;
}
