import { Emitter, type Point3 } from '#core';
import type { CameraView, CameraControllers, MovingDetail, SurfacePick, ViewSurface } from '#plugins/tour';
import { createCloudCamera, project, type CloudCamera } from './cloud-camera.ts';
import { CloudGraphics, type CloudAppearance } from './cloud-graphics.ts';
import { CloudUnreadable, type CloudNode, type OpenCloud } from './cloud-node.ts';
import { findConnectedPoints } from './find-connected-points.ts';
import { DepthGrid } from './depth-grid.ts';
import { NodeLoader, type OnNodeFailed } from './node-loader.ts';
import { openCopc } from './open-copc.ts';
import { openTiles } from './open-tiles.ts';
import { pickPoint, findPointsAround } from './pick-point.ts';
import { ShownNodes } from './shown-nodes.ts';
import { chooseDefaultAppearance } from './choose-default-appearance.ts';

export interface CloudSource {
  readonly kind: 'TILES' | 'COPC';
  readonly url: string;
}

/** Loads the root of a point cloud. Rejects with `CloudUnreadable` or a network error. */
export const openCloud = ({ kind, url }: CloudSource, signal?: AbortSignal): Promise<OpenCloud> =>
  kind === 'COPC' ? openCopc(url, signal) : openTiles(url, signal);

export interface CloudSurfaceOptions {
  /** Id of the tour module. */
  readonly module: string;
  readonly view: CameraView;
  /** Maximum number of points on screen. */
  readonly budget?: number;
  /** Background colour: red, green, blue of 0 to 1. */
  readonly background?: readonly [number, number, number];
}

export interface CloudEvents {
  /** True if loading has finished, false if it has started again. */
  settled: boolean;
  /** A part failed to load. Call `retry` to load it again. `refused` is explained at `OnNodeFailed`. */
  failed: { readonly reason: string; readonly refused: boolean };
  /** A frame was drawn. */
  frame: undefined;
  contextLost: undefined;
  contextRestored: undefined;
}

export interface CloudStatistics {
  /** Name of the graphics card; empty if unknown or before the first frame. */
  readonly renderer: string;
  /** Number of drawn frames. */
  readonly frames: number;
  readonly points: number;
  readonly drawnNodes: number;
  readonly uploadedNodes: number;
}

const defaultPointBudget = 1_000_000;
/** On slow graphics cards only every n-th point is drawn during movement. */
const coarseStride = 4;

/** The public interface of `CloudSurface`, for tour modules. */
export type ShownCloud = Pick<CloudSurface, keyof CloudSurface>;

/**
 * A point cloud on screen. Streams levels of detail within a point budget, draws on changes, and picks points. Call
 * `attach` first and then `open`. The owner moves the eye by `setView`.
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
  #view: CameraView;
  #appearance: CloudAppearance = { coloring: 'RGB', intensity: [0, 1], height: [0, 1], clip: undefined, size: 1 };
  #hasDefaultRanges = false;
  #width = 1;
  #height = 1;
  #camera: CloudCamera;
  #frames = 0;
  #requestedFrame = 0;
  #settled = true;
  #depths: DepthGrid | undefined;
  #opening: AbortController | undefined;
  /** The nodes whose children failed to load. */
  #failedNodes = new WeakSet<CloudNode>();
  /** True while children of visible nodes are loading. */
  #isExpanding = false;

  constructor(
    cameras: Pick<CameraControllers, 'createDetail'>,
    { module, view, budget = defaultPointBudget, background = [0.05, 0.06, 0.07] }: CloudSurfaceOptions,
    createLoader?: (onLoaded: () => void, onFailed: OnNodeFailed) => NodeLoader,
  ) {
    this.module = module;
    this.#view = view;
    this.#nodes = new ShownNodes(budget, (node) => this.#graphics?.release(node));
    this.#background = background;
    this.#detail = cameras.createDetail(() => this.#requestFrame());
    this.#camera = createCloudCamera(view, 1, 1);
    const onLoaded = (): void => this.#requestFrame();
    const onFailed: OnNodeFailed = (reason, refused) => {
      this.#events.emit('failed', { reason, refused });
      this.#requestFrame();
    };
    this.#loader = createLoader?.(onLoaded, onFailed) ?? new NodeLoader(onLoaded, onFailed);
    Object.assign(this.host.style, { position: 'absolute', inset: '0', overflow: 'clip', touchAction: 'none' });
  }

  get view(): CameraView {
    return this.#view;
  }

  get appearance(): CloudAppearance {
    return this.#appearance;
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
      drawnNodes: this.#nodes.shown.filter(({ tile }) => tile).length,
      uploadedNodes: this.#graphics?.uploadedCount ?? 0,
    };
  }

  /** Attaches the canvas to an element and follows its size. Returns a cleanup function. Throws `WebGlUnavailable`. */
  attach(parent: HTMLElement): () => void {
    this.#graphics ??= new CloudGraphics(
      () => this.#events.emit('contextLost', undefined),
      () => {
        this.#events.emit('contextRestored', undefined);
        this.#requestFrame();
      },
    );
    this.host.prepend(this.#graphics.canvas);
    parent.append(this.host);
    this.#resize();
    const observer = new ResizeObserver(() => this.#resize());
    observer.observe(this.host);
    return () => {
      observer.disconnect();
      this.host.remove();
    };
  }

  /** Loads and shows another cloud. Rejects with `CloudUnreadable` or a network error. */
  async open({ kind, url }: CloudSource): Promise<OpenCloud> {
    this.#opening?.abort();
    const opening = new AbortController();
    this.#opening = opening;
    if (kind === 'COPC') this.#loader.prepareCopc();
    const cloud = await openCloud({ kind, url }, opening.signal);
    opening.signal.throwIfAborted();
    this.#replaceCloud(cloud);
    return cloud;
  }

  /** Shows a cloud whose root is loaded. */
  show(cloud: OpenCloud): void {
    this.#opening?.abort();
    this.#replaceCloud(cloud);
  }

  #replaceCloud(cloud: OpenCloud): void {
    this.#clear();
    this.#cloud = cloud;
    this.#appearance = {
      ...this.#appearance,
      coloring: cloud.colored ? this.#appearance.coloring : 'INTENSITY',
      height: [cloud.box.minimum[2], cloud.box.maximum[2]],
    };
    this.#hasDefaultRanges = false;
    this.#requestFrame();
  }

  setView(view: Partial<CameraView>): void {
    this.#view = { ...this.#view, ...view };
    this.#requestFrame();
  }

  setAppearance(appearance: Partial<CloudAppearance>): void {
    this.#appearance = { ...this.#appearance, ...appearance };
    this.#requestFrame();
  }

  /** Retries everything that failed to load. */
  retry(): void {
    this.#failedNodes = new WeakSet();
    this.#loader.retry();
    this.#requestFrame();
  }

  /** Resolves when all parts are loaded, because a pick could otherwise hit a surface behind a missing part. */
  ready(): Promise<void> {
    const isSettled = (): boolean => this.#requestedFrame === 0 && this.#cloud !== undefined && !this.#busy;
    if (isSettled()) return Promise.resolve();
    return new Promise((resolve) => {
      const unsubscribe = this.onChanged(() => {
        if (!isSettled()) return;
        unsubscribe();
        resolve();
      });
    });
  }

  async pick(x: number, y: number): Promise<SurfacePick | undefined> {
    const cloudPick = pickPoint(this.#nodes.shown, this.#camera, x, y, this.#appearance.clip);
    return (
      cloudPick && {
        point: cloudPick.point,
        normal: cloudPick.normal,
        source: 'POINT_CLOUD',
        sigma: cloudPick.sigma,
        edge: cloudPick.edge,
      }
    );
  }

  async findSurfacePoints({ point }: SurfacePick, radius: number): Promise<Float64Array> {
    return findConnectedPoints(
      findPointsAround(this.#nodes.cached, point, radius, this.#appearance.clip),
      point,
      radius,
    );
  }

  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined {
    const pixel = project(this.#camera, point);
    return pixel && { x: pixel.x, y: pixel.y };
  }

  sees(point: Point3): boolean {
    this.#depths ??= new DepthGrid(this.#nodes.shown, this.#camera, this.#appearance.clip);
    return this.#depths.isVisible(point);
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
    this.#drawFrame(1);
    return graphics.readImage();
  }

  /** Releases all resources. The surface cannot be used again. */
  close(): void {
    this.#opening?.abort();
    cancelAnimationFrame(this.#requestedFrame);
    this.#detail.end();
    this.#loader.close();
    this.#clear();
    this.#graphics?.close();
    this.#graphics = undefined;
    this.host.remove();
  }

  get #busy(): boolean {
    return this.#isExpanding || this.#loader.busy;
  }

  #resize(): void {
    this.#width = Math.max(1, this.host.clientWidth);
    this.#height = Math.max(1, this.host.clientHeight);
    this.#graphics?.resize(this.#width, this.#height, Math.min(2, window.devicePixelRatio));
    this.#requestFrame();
  }

  #requestFrame(): void {
    if (this.#requestedFrame !== 0) return;
    this.#detail.onFrameRequested();
    this.#requestedFrame = requestAnimationFrame(() => {
      this.#requestedFrame = 0;
      this.#drawFrame(this.#detail.coarse ? coarseStride : 1);
      this.#graphics?.measureFrame(this.#detail);
      this.#events.emit('frame', undefined);
    });
  }

  /** @param stride n draws every n-th point */
  #drawFrame(stride: number): void {
    this.#camera = createCloudCamera(this.#view, this.#width, this.#height);
    this.#depths = undefined;
    this.#frames++;
    if (this.#cloud) this.#chooseNodes(this.#cloud);
    this.#graphics?.draw(
      this.#nodes.shown,
      this.#camera,
      fitHeightsToClip(this.#appearance),
      this.#background,
      this.#nodes.spacings,
      stride,
    );
    this.#reportSettled();
  }

  #chooseNodes(cloud: OpenCloud): void {
    const unexpandedNodes = this.#nodes.choose(cloud.root, this.#camera).filter((node) => !this.#failedNodes.has(node));
    this.#isExpanding = unexpandedNodes.length > 0;
    for (const node of unexpandedNodes) {
      node.expand?.().then(
        () => this.#requestFrame(),
        (error: unknown) => {
          if (this.#failedNodes.has(node)) return;
          this.#failedNodes.add(node);
          this.#events.emit('failed', {
            reason: error instanceof Error ? error.message : String(error),
            refused: error instanceof CloudUnreadable && error.refused,
          });
          this.#requestFrame();
        },
      );
    }
    this.#loader.setRequestedNodes(this.#nodes.shown);
    const { tile } = cloud.root;
    if (this.#hasDefaultRanges || !tile) return;
    this.#hasDefaultRanges = true;
    this.#appearance = { ...this.#appearance, ...chooseDefaultAppearance(tile) };
  }

  #clear(): void {
    this.#loader.setRequestedNodes([]);
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

export { CloudDepth } from './cloud-depth.ts';

/** Limits the height colours to the clipping box. */
function fitHeightsToClip(appearance: CloudAppearance): CloudAppearance {
  const { clip } = appearance;
  return clip ? { ...appearance, height: [clip.centre[2] - clip.half[2], clip.centre[2] + clip.half[2]] } : appearance;
}
