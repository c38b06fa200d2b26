import type { Point3 } from '#core';
import type { SurfacePick, ViewSurface } from '#plugins/tour';
import { chooseNodes } from './choose-nodes.ts';
import { cloudCamera, project, type CloudCamera, type CloudView } from './cloud-camera.ts';
import { CloudGraphics, type CloudLook } from './cloud-graphics.ts';
import { CloudUnreadable, type CloudNode, type OpenCloud } from './cloud-node.ts';
import { connectedPoints } from './connected-points.ts';
import type { DecodedTile } from './decode-tile.ts';
import { DepthGrid } from './depth-grid.ts';
import { NodeLoader, type NodeFailed } from './node-loader.ts';
import { openCopc } from './open-copc.ts';
import { openTiles } from './open-tiles.ts';
import { pickPoint, pointsAround } from './pick-point.ts';
import { tileReader } from './tile-reader.ts';

export interface CloudAddress {
  readonly kind: 'TILES' | 'COPC';
  readonly address: string;
}

export interface CloudSurfaceOptions {
  /** Id of the tour module. */
  readonly module: string;
  readonly view: CloudView;
  /** Points on screen at most. */
  readonly budget?: number;
  /** Red, green, blue of 0 to 1 behind the points. */
  readonly background?: readonly [number, number, number];
}

export interface CloudEvents {
  /** Nothing is on its way any more, or something is again. */
  readonly settled: (settled: boolean) => void;
  /** A part could not be fetched; `retry` tries again. */
  readonly failed: NodeFailed;
  readonly contextLost: () => void;
  readonly contextRestored: () => void;
}

export interface CloudStatistics {
  /** Of the graphics card; empty where it does not tell, or nothing is on screen. */
  readonly renderer: string;
  /** Since the surface was made. */
  readonly frames: number;
  readonly points: number;
  readonly drawn: number;
  readonly held: number;
}

const usualBudget = 1_000_000;
/** Decoded nodes that are kept for the way back, as a multiple of the budget. */
const keep = 2;
/** One standard deviation of a scanner's single point, metres, where nobody says better. */
const usualSigma = 0.003;

/** What a module needs of a cloud on screen. */
export type ShownCloud = Pick<CloudSurface, keyof CloudSurface>;

/**
 * A point cloud on screen: streams by level of detail within a budget of points, draws when something changed, and answers tools that work in space.
 * `attach` first, then `open`. Whoever shows it moves the eye by `setView`.
 */
export class CloudSurface implements ViewSurface {
  readonly module: string;
  readonly host = document.createElement('div');
  readonly #budget: number;
  readonly #events: Partial<CloudEvents>;
  readonly #loader: NodeLoader;
  readonly #listeners = new Set<() => void>();
  readonly #background: readonly [number, number, number];
  #graphics: CloudGraphics | undefined;
  #cloud: OpenCloud | undefined;
  #view: CloudView;
  #look: CloudLook = { coloring: 'RGB', intensity: [0, 1], height: [0, 1], clip: undefined, size: 1 };
  #stretched = false;
  #width = 1;
  #height = 1;
  #camera: CloudCamera;
  #shown: readonly CloudNode[] = [];
  #parents = new Map<CloudNode, CloudNode>();
  #kept = new Set<CloudNode>();
  #finest: ReadonlyMap<CloudNode, number> = new Map();
  #frame = 0;
  #scheduled = 0;
  #settled = true;
  #depths: DepthGrid | undefined;
  #opening: AbortController | undefined;

  constructor({ module, view, budget = usualBudget, background = [0.05, 0.06, 0.07] }: CloudSurfaceOptions, events: Partial<CloudEvents> = {}, loader?: (arrived: () => void, failed: NodeFailed) => NodeLoader) {
    this.module = module;
    this.#view = view;
    this.#budget = budget;
    this.#background = background;
    this.#events = events;
    this.#camera = cloudCamera(view, 1, 1);
    const arrived = (): void => this.#draw();
    const failed: NodeFailed = (reason, refused) => {
      this.#events.failed?.(reason, refused);
      this.#draw();
    };
    this.#loader = loader?.(arrived, failed) ?? new NodeLoader(arrived, failed);
    Object.assign(this.host.style, { position: 'absolute', inset: '0', overflow: 'hidden', touchAction: 'none' });
  }

  get view(): CloudView {
    return this.#view;
  }

  get look(): CloudLook {
    return this.#look;
  }

  get cloud(): OpenCloud | undefined {
    return this.#cloud;
  }

  get statistics(): CloudStatistics {
    return { renderer: this.#graphics?.renderer ?? '', frames: this.#frame, points: this.#shown.reduce((sum, { count, tile }) => sum + (tile ? count : 0), 0), drawn: this.#shown.filter(({ tile }) => tile).length, held: this.#graphics?.held ?? 0 };
  }

  /** Puts the picture into an element and follows its size. Returns the way out. Throws `WebGlUnavailable`. */
  attach(parent: HTMLElement): () => void {
    this.#graphics ??= new CloudGraphics(
      () => this.#events.contextLost?.(),
      () => {
        this.#events.contextRestored?.();
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

  /** Shows another cloud. Rejects with `CloudUnreadable` or the network's error. */
  async open({ kind, address }: CloudAddress): Promise<OpenCloud> {
    this.#opening?.abort();
    const opening = new AbortController();
    this.#opening = opening;
    const cloud = await (kind === 'COPC' ? openCopc(address, opening.signal) : openTiles(address, opening.signal));
    opening.signal.throwIfAborted();
    this.#take(cloud);
    return cloud;
  }

  /** Shows a cloud whose nodes are at hand. */
  show(cloud: OpenCloud): void {
    this.#opening?.abort();
    this.#take(cloud);
  }

  #take(cloud: OpenCloud): void {
    this.#forget();
    this.#cloud = cloud;
    this.#look = { ...this.#look, coloring: cloud.colored ? this.#look.coloring : 'INTENSITY', height: [cloud.box.minimum[2], cloud.box.maximum[2]] };
    this.#stretched = false;
    this.#draw();
  }

  setView(view: Partial<CloudView>): void {
    this.#view = { ...this.#view, ...view };
    this.#draw();
  }

  setLook(look: Partial<CloudLook>): void {
    this.#look = { ...this.#look, ...look };
    this.#draw();
  }

  /** Tries again what could not be fetched. */
  retry(): void {
    this.#loader.retry();
    this.#draw();
  }

  async pick(x: number, y: number): Promise<SurfacePick | undefined> {
    const found = pickPoint(this.#shown, this.#camera, x, y, this.#look.clip);
    return found && { point: found.point, normal: undefined, source: 'POINT_CLOUD', sigma: usualSigma, edge: found.edge };
  }

  async patch({ point }: SurfacePick, radius: number): Promise<Float64Array> {
    return connectedPoints(pointsAround([...this.#kept], point, radius, this.#look.clip), point, radius);
  }

  pixelOf(point: Point3): { readonly x: number; readonly y: number } | undefined {
    const place = project(this.#camera, point);
    return place && { x: place.x, y: place.y };
  }

  sees(point: Point3): boolean {
    this.#depths ??= new DepthGrid(this.#shown, this.#camera, this.#look.clip);
    return this.#depths.sees(point);
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async picture(): Promise<Blob> {
    const graphics = this.#graphics;
    if (!graphics) throw new Error('The point cloud is not on screen.');
    this.#paint();
    return graphics.picture();
  }

  /** Ends everything; not to be used again. */
  close(): void {
    this.#opening?.abort();
    cancelAnimationFrame(this.#scheduled);
    this.#loader.close();
    this.#forget();
    this.#graphics?.close();
    this.#graphics = undefined;
    this.#listeners.clear();
    this.host.remove();
  }

  #fit(): void {
    this.#width = Math.max(1, this.host.clientWidth);
    this.#height = Math.max(1, this.host.clientHeight);
    this.#graphics?.resize(this.#width, this.#height, Math.min(2, window.devicePixelRatio));
    this.#draw();
  }

  #draw(): void {
    if (this.#scheduled !== 0) return;
    this.#scheduled = requestAnimationFrame(() => {
      this.#scheduled = 0;
      this.#paint();
      for (const listener of this.#listeners) listener();
    });
  }

  #paint(): void {
    this.#camera = cloudCamera(this.#view, this.#width, this.#height);
    this.#depths = undefined;
    this.#frame++;
    if (this.#cloud) this.#choose(this.#cloud);
    this.#finest = this.#spacings();
    this.#graphics?.draw(this.#shown, this.#camera, withinClip(this.#look), this.#background, (node) => this.#spacingOf(node));
    this.#tellSettled();
  }

  #choose(cloud: OpenCloud): void {
    const { nodes, unknown } = chooseNodes(cloud.root, this.#camera, this.#budget);
    this.#shown = nodes;
    for (const node of nodes) {
      node.wantedAt = this.#frame;
      if (node.tile) this.#kept.add(node);
      for (const child of node.children) this.#parents.set(child, node);
    }
    this.#loader.want(nodes);
    for (const node of unknown) {
      node.expand?.().then(() => this.#draw(), (error: unknown) => (error instanceof CloudUnreadable ? this.#events.failed?.(error.message, error.refused) : this.#events.failed?.(String(error), false)));
    }
    this.#stretch(cloud);
    this.#evict();
  }

  /** Intensities are numbers of the scanner's own: the picture's black and white are where nearly all of the first points lie. */
  #stretch(cloud: OpenCloud): void {
    const { tile } = cloud.root;
    if (this.#stretched || !tile) return;
    this.#stretched = true;
    this.#look = { ...this.#look, height: usualHeights(tile) ?? this.#look.height };
    if (!tile.intensity) return;
    const { bytes, stride } = tile.blocks[tile.intensity.block]!;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const step = Math.max(1, Math.floor(tile.count / 4096));
    const values = Array.from({ length: Math.floor(tile.count / step) }, (_, k) => view.getUint16(k * step * stride + tile.intensity!.offset, true) / 65_535).sort((a, b) => a - b);
    const low = values[Math.floor(values.length * 0.02)] ?? 0;
    const high = values[Math.floor(values.length * 0.98)] ?? 1;
    this.#look = { ...this.#look, intensity: high > low ? [low, high] : [0, 1] };
  }

  /** How close points lie where a node is drawn: as close as those of the finest node drawn within it. */
  #spacings(): ReadonlyMap<CloudNode, number> {
    const finest = new Map<CloudNode, number>();
    for (const node of this.#shown.toReversed()) {
      if (!node.tile) continue;
      const own = Math.min(node.spacing, finest.get(node) ?? Infinity);
      finest.set(node, own);
      const parent = this.#parents.get(node);
      if (parent) finest.set(parent, Math.min(finest.get(parent) ?? Infinity, own));
    }
    return finest;
  }

  #spacingOf(node: CloudNode): number {
    return this.#finest.get(node) ?? node.spacing;
  }

  #evict(): void {
    let held = [...this.#kept].reduce((sum, { count }) => sum + count, 0);
    if (held <= this.#budget * keep) return;
    for (const node of [...this.#kept].sort((a, b) => a.wantedAt - b.wantedAt)) {
      if (held <= this.#budget * keep || node.wantedAt === this.#frame) return;
      held -= node.count;
      this.#drop(node);
    }
  }

  #drop(node: CloudNode): void {
    this.#kept.delete(node);
    this.#graphics?.drop(node);
    node.tile = undefined;
  }

  #forget(): void {
    this.#loader.want([]);
    for (const node of [...this.#kept]) this.#drop(node);
    this.#parents.clear();
    this.#shown = [];
    this.#cloud = undefined;
  }

  #tellSettled(): void {
    const settled = this.#cloud !== undefined && !this.#loader.busy;
    if (settled === this.#settled) return;
    this.#settled = settled;
    this.#events.settled?.(settled);
  }
}

/** Where nearly all points lie, metres: a mast or a stray point shall not take the colours of all else. */
function usualHeights(tile: DecodedTile): readonly [number, number] | undefined {
  const reader = tileReader(tile);
  const step = Math.max(1, Math.floor(reader.count / 4096));
  const point: [number, number, number] = [0, 0, 0];
  const heights: number[] = [];
  for (let k = 0; k < reader.count; k += step) {
    reader.at(k, point);
    heights.push(point[2]);
  }
  heights.sort((a, b) => a - b);
  const [low, high] = [heights[Math.floor(heights.length * 0.05)], heights[Math.floor(heights.length * 0.95)]];
  return low !== undefined && high !== undefined && high > low ? [low, high] : undefined;
}

/** A box takes the colours of heights for itself. */
function withinClip(look: CloudLook): CloudLook {
  const { clip } = look;
  return clip ? { ...look, height: [clip.centre[2] - clip.half[2], clip.centre[2] + clip.half[2]] } : look;
}
