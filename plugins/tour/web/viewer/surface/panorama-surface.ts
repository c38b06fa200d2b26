import { toPanTilt, type Point3 } from '#core';
import type { PanoramaEngine, PanoramaPicture, SurfacePick, ViewSurface } from '#plugins/tour';
import { growPatch } from '../range/grow-patch.ts';
import { pickRange } from '../range/pick-range.ts';
import { findRangePixel } from '../range/range-image.ts';
import { RangeTiles, type RangeTile } from '../range/range-tiles.ts';

/** Radius of the ranges loaded around a pick, pixels. */
const pickReachPx = 12;
/**
 * Metres by which a surface must be nearer to occlude a point. Measured points lie on the surface themselves, and
 * ranges have noise and rounding errors.
 */
const occlusionMargin = 0.15;

export interface SurfaceSource {
  readonly engine: Pick<PanoramaEngine, 'toPixel' | 'directionAt' | 'takePicture' | 'on'>;
  readonly host: HTMLElement;
  /** The picture on screen. */
  readonly picture: () => PanoramaPicture | undefined;
}

/** The surface of a panorama. Points are picked by its ranges. */
export class PanoramaSurface implements ViewSurface {
  readonly module: string;
  readonly host: HTMLElement;
  readonly corrected = true;
  readonly #source: SurfaceSource;
  readonly #decode: ((blob: Blob) => Promise<RangeTile>) | undefined;
  #ranges: { readonly id: string; readonly sigma: number; readonly image: RangeTiles } | undefined;
  readonly #listeners = new Set<() => void>();

  /** @param decode decodes a tile. Default: as `RangeTiles`. */
  constructor(module: string, source: SurfaceSource, decode?: (blob: Blob) => Promise<RangeTile>) {
    this.module = module;
    this.host = source.host;
    this.#source = source;
    this.#decode = decode;
  }

  ready(): Promise<void> {
    if (this.#source.picture()) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.#source.engine.on('shown', () => {
        stop();
        resolve();
      });
    });
  }

  hasDepth(): boolean {
    return this.#source.picture()?.ranges !== undefined;
  }

  async pick(x: number, y: number): Promise<SurfacePick | undefined> {
    const ranges = this.#findRanges();
    if (!ranges) return undefined;
    const { image, sigma } = ranges;
    const { pan, tilt } = this.#source.engine.directionAt(x, y);
    const { column, row } = findRangePixel(image, pan, tilt);
    await image.load(column, row, pickReachPx);
    const picked = pickRange(image, pan, tilt);
    if (!picked) return undefined;
    return {
      point: picked.point,
      normal: picked.normal,
      source: 'RANGE_IMAGE',
      sigma: picked.sigma ?? (sigma > 0 ? sigma : undefined),
      edge: picked.edge,
    };
  }

  async patch(pick: SurfacePick, radius: number): Promise<Float64Array> {
    const image = this.#findRanges()?.image;
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

  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined {
    const picture = this.#source.picture();
    if (!picture) return undefined;
    const { pan, tilt } = computeRay(picture.position, point);
    return this.#source.engine.toPixel(pan, tilt);
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
    return range === 0 || range >= distance - occlusionMargin;
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    const disposers = [
      this.#source.engine.on('viewChanged', listener),
      this.#source.engine.on('shown', listener),
      this.#source.engine.on('resized', listener),
    ];
    return () => {
      this.#listeners.delete(listener);
      for (const dispose of disposers) dispose();
    };
  }

  takePicture(): Promise<Blob> {
    return this.#source.engine.takePicture();
  }

  #notifyListeners(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #findRanges(): { readonly sigma: number; readonly image: RangeTiles } | undefined {
    const picture = this.#source.picture();
    if (!picture?.ranges) return undefined;
    const { id, address, width, height, tileSize, sigma } = picture.ranges;
    if (this.#ranges?.id !== id) {
      const source = {
        width,
        height,
        tileSize,
        columns: Math.ceil(width / tileSize),
        rows: Math.ceil(height / tileSize),
        position: picture.position,
        heading: picture.heading,
        read: picture.read ?? ((path: string) => readFile(`${address}/${path}`)),
      };
      this.#ranges = { id, sigma, image: new RangeTiles(source, this.#decode) };
    }
    return this.#ranges;
  }
}

async function readFile(address: string): Promise<Blob> {
  const response = await fetch(address, { credentials: 'include' });
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
