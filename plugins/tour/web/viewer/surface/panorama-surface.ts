import { distanceBetween, dotProduct, toRadians, toDirection, toPanTilt, type Point3 } from '#core';
import type {
  PanoramaEngine,
  PanoramaPicture,
  RangeTiles as PictureRanges,
  SightRay,
  SiteDepth,
  SurfaceMesh,
  SurfacePick,
  ViewSurface,
} from '#plugins/tour';
import { growPatch } from '../range/grow-patch.ts';
import { pickRange } from '../range/pick-range.ts';
import { findRangePixel } from '../range/range-image.ts';
import { RangeTiles, type RangeTile } from '../range/range-tiles.ts';
import type { SiteDepthLookup } from './site-depth-lookup.ts';

/** Radius of the ranges loaded around a pick, pixels. */
const pickReachPx = 12;
/**
 * Metres by which a surface must be nearer than a point to occlude it. Measured points lie on the surface themselves,
 * and ranges have noise and rounding errors.
 */
const occlusionMarginMetres = 0.15;
/**
 * One standard deviation of the direction of a picture without ranges, degrees. Its heading and level are set by hand
 * or by the sensors of a camera, so they deviate from the cloud or the model.
 */
const directionSigmaDegrees = 0.2;

export interface SurfaceContext {
  readonly engine: Pick<PanoramaEngine, 'toPixel' | 'directionAt' | 'takePicture' | 'on'>;
  readonly host: HTMLElement;
  /** The picture on screen. Undefined while there is none, or while another tour module is on screen. */
  readonly picture: () => PanoramaPicture | undefined;
  /** Position of the eye. It moves during a walk, and is undefined while one picture fades into another. */
  readonly eye: () => Point3 | undefined;
  /** Finds the depth of pictures without ranges. Default: such pictures have no depth. */
  readonly depthLookup?: Pick<SiteDepthLookup, 'find' | 'clear' | 'hasSources'>;
}

interface LoadedRanges {
  readonly id: string;
  readonly sigma: number;
  readonly source: PictureRanges['source'];
  readonly image: RangeTiles;
}

/** The surface of a panorama. Points are picked by its ranges, else by the depth of the site around its eye. */
export class PanoramaSurface implements ViewSurface {
  readonly module: string;
  readonly host: HTMLElement;
  readonly isCorrectable = true;
  readonly #context: SurfaceContext;
  readonly #decode: ((blob: Blob) => Promise<RangeTile>) | undefined;
  #ranges: LoadedRanges | undefined;
  /** Id of the last picture for which no source had depth. */
  #depthlessPictureId: string | undefined;
  /** Depth and original pick of each pick by a depth source, for `findSurfacePoints` and `mesh`. */
  readonly #sitePicks = new WeakMap<SurfacePick, { readonly depth: SiteDepth; readonly hit: SurfacePick }>();
  /** The ranges of the picture that was on screen at each pick. */
  readonly #rangePicks = new WeakMap<SurfacePick, RangeTiles>();
  readonly #listeners = new Set<() => void>();

  /** @param decode decodes a tile. Default: as `RangeTiles`. */
  constructor(module: string, context: SurfaceContext, decode?: (blob: Blob) => Promise<RangeTile>) {
    this.module = module;
    this.host = context.host;
    this.#context = context;
    this.#decode = decode;
  }

  ready(): Promise<void> {
    if (this.#isStill()) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.#context.engine.on('shown', () => {
        if (!this.#isStill()) return;
        stop();
        resolve();
      });
    });
  }

  isMoving(): boolean {
    return this.#context.picture() !== undefined && !this.#isStill();
  }

  hasDepth(): boolean {
    const picture = this.#context.picture();
    // Before the first picture, depth is unknown. Tools stay available.
    if (!picture) return true;
    return (
      picture.ranges !== undefined ||
      (this.#context.depthLookup?.hasSources === true && picture.tiles.id !== this.#depthlessPictureId)
    );
  }

  async pick(x: number, y: number): Promise<SurfacePick | undefined> {
    if (!this.#isStill()) return undefined;
    const ranges = this.#findRanges();
    if (!ranges) return this.#pickSite(x, y);
    const { image, sigma, source } = ranges;
    const { pan, tilt } = this.#context.engine.directionAt(x, y);
    const { column, row } = findRangePixel(image, pan, tilt);
    await image.load(column, row, pickReachPx);
    const rangePick = pickRange(image, pan, tilt);
    if (!rangePick) return undefined;
    const pick: SurfacePick = {
      point: rangePick.point,
      normal: rangePick.normal,
      source: source === undefined ? 'RANGE_IMAGE' : source === 'MODEL' ? 'MODEL' : 'POINT_CLOUD',
      sigma: rangePick.sigma ?? (sigma > 0 ? sigma : undefined),
      edge: rangePick.edge,
      // Computed ranges deviate from the picture by the error of its direction.
      ...(source && { directionSigmaPx: this.#computeDirectionSigmaPx(x, y, image.position) }),
    };
    this.#rangePicks.set(pick, image);
    return pick;
  }

  async findSurfacePoints(pick: SurfacePick, radius: number): Promise<Float64Array> {
    const sitePick = this.#sitePicks.get(pick);
    if (sitePick) return sitePick.depth.findSurfacePoints(sitePick.hit, radius);
    const image = this.#rangePicks.get(pick) ?? this.#findRanges()?.image;
    if (!image) return new Float64Array(0);
    const { pan, tilt, distance } = computeRay(image.position, pick.point);
    const pixel = findRangePixel(image, pan, tilt);
    await image.load(
      pixel.column,
      pixel.row,
      Math.ceil((Math.atan2(radius, distance) / (2 * Math.PI)) * image.width) + pickReachPx,
    );
    return growPatch(image, pixel, { radius });
  }

  async mesh(pick: SurfacePick, radius: number): Promise<SurfaceMesh | undefined> {
    const sitePick = this.#sitePicks.get(pick);
    return sitePick?.depth.mesh?.(sitePick.hit, radius);
  }

  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined {
    const eye = this.#context.eye();
    if (!eye) return undefined;
    const { pan, tilt } = computeRay(eye, point);
    return this.#context.engine.toPixel(pan, tilt);
  }

  sees(point: Point3): boolean {
    const image = this.#findRanges()?.image;
    if (!image) return true;
    const { pan, tilt, distance } = computeRay(image.position, point);
    const { column, row } = findRangePixel(image, pan, tilt);
    if (!image.isLoaded(column, row)) {
      image.load(column, row, 0).then(
        () => this.#notifyListeners(),
        () => undefined,
      );
      return true;
    }
    const range = image.at(column, row) / 1000;
    return range === 0 || range >= distance - occlusionMarginMetres;
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    const disposers = [
      this.#context.engine.on('viewChanged', listener),
      this.#context.engine.on('transitionDrawn', listener),
      this.#context.engine.on('shown', listener),
      this.#context.engine.on('resized', listener),
    ];
    return () => {
      this.#listeners.delete(listener);
      for (const dispose of disposers) dispose();
    };
  }

  takePicture(): Promise<Blob> {
    return this.#context.engine.takePicture();
  }

  /** Picks by the depth of the site. */
  async #pickSite(x: number, y: number): Promise<SurfacePick | undefined> {
    const picture = this.#context.picture();
    if (!picture || !this.hasDepth()) return undefined;
    const ray = this.#computeSightRay(picture.position, x, y);
    const depth = await this.#context.depthLookup?.find(picture.position);
    if (!depth) {
      this.#depthlessPictureId = picture.tiles.id;
      return undefined;
    }
    const hit = await depth.pick(ray).catch((error: unknown) => {
      this.#context.depthLookup?.clear();
      throw error;
    });
    if (!hit) return undefined;
    const pick = { ...hit, directionSigmaPx: this.#computeDirectionSigmaPx(x, y, picture.position) };
    this.#sitePicks.set(pick, { depth, hit });
    return pick;
  }

  #computeDirectionSigmaPx(x: number, y: number, eye: Point3): number {
    return toRadians(directionSigmaDegrees) / this.#computeSightRay(eye, x, y).pixelRadians;
  }

  #computeSightRay(origin: Point3, x: number, y: number): SightRay {
    const [direction, neighbour] = [x, x + 1].map((column) => {
      const { pan, tilt } = this.#context.engine.directionAt(column, y);
      return toDirection(pan, tilt);
    }) as [Point3, Point3];
    return { origin, direction, pixelRadians: Math.acos(Math.min(1, dotProduct(direction, neighbour))) };
  }

  /** True if a picture is on screen and no transition runs. */
  #isStill(): boolean {
    const picture = this.#context.picture();
    const eye = this.#context.eye();
    return picture !== undefined && eye !== undefined && distanceBetween(picture.position, eye) === 0;
  }

  #notifyListeners(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #findRanges(): LoadedRanges | undefined {
    const picture = this.#context.picture();
    if (!picture?.ranges) return undefined;
    const { id, address, width, height, tileSize, sigma, source } = picture.ranges;
    if (this.#ranges?.id !== id) {
      const tilesSource = {
        width,
        height,
        tileSize,
        columns: Math.ceil(width / tileSize),
        rows: Math.ceil(height / tileSize),
        position: picture.position,
        heading: picture.heading,
        read: picture.read ?? ((path: string) => readFile(`${address}/${path}`)),
      };
      this.#ranges = { id, sigma, source, image: new RangeTiles(tilesSource, this.#decode) };
    }
    return this.#ranges;
  }
}

async function readFile(url: string): Promise<Blob> {
  const response = await fetch(url, { credentials: 'include' });
  if (!response.ok) throw new Error(`The ranges of the scan could not be read: the server replied ${response.status}.`);
  return response.blob();
}

function computeRay(
  eye: Point3,
  point: Point3,
): { readonly pan: number; readonly tilt: number; readonly distance: number } {
  const ray: Point3 = [point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]];
  return { ...toPanTilt(ray), distance: Math.hypot(...ray) };
}
