import { toPanTilt, type Point3 } from '#core';
import type { PanoramaEngine, PanoramaPicture, SurfacePick, ViewSurface } from '#plugins/tour';
import { growPatch } from '../range/grow-patch.ts';
import { pickRange } from '../range/pick-range.ts';
import { rangePixel } from '../range/range-image.ts';
import { RangeTiles, type RangeTile } from '../range/range-tiles.ts';

/** Radius of the ranges loaded around a pick, pixels. */
const pickReach = 12;
/**
 * Metres by which a surface must be nearer to occlude a point: measured points lie on a surface, and ranges have noise
 * and rounding.
 */
const occlusionMargin = 0.15;

export interface ShownPanorama {
  readonly engine: Pick<PanoramaEngine, 'toPixel' | 'directionAt' | 'picture' | 'on'>;
  readonly host: HTMLElement;
  /** The picture on screen. */
  readonly picture: () => PanoramaPicture | undefined;
}

/** A panorama for tools that work in space: directions from its camera, and points by its ranges. */
export class PanoramaSurface implements ViewSurface {
  readonly module: string;
  readonly host: HTMLElement;
  readonly corrected = true;
  readonly #shown: ShownPanorama;
  readonly #decode: ((blob: Blob) => Promise<RangeTile>) | undefined;
  #ranges: { readonly id: string; readonly sigma: number; readonly image: RangeTiles } | undefined;
  readonly #listeners = new Set<() => void>();

  /** `decode` as in `RangeTiles`. */
  constructor(module: string, shown: ShownPanorama, decode?: (blob: Blob) => Promise<RangeTile>) {
    this.module = module;
    this.host = shown.host;
    this.#shown = shown;
    this.#decode = decode;
  }

  ready(): Promise<void> {
    if (this.#shown.picture()) return Promise.resolve();
    return new Promise((resolve) => {
      const off = this.#shown.engine.on('shown', () => {
        off();
        resolve();
      });
    });
  }

  hasDepth(): boolean {
    return this.#shown.picture()?.ranges !== undefined;
  }

  async pick(x: number, y: number): Promise<SurfacePick | undefined> {
    const ranges = this.#rangesNow();
    if (!ranges) return undefined;
    const { image, sigma } = ranges;
    const { pan, tilt } = this.#shown.engine.directionAt(x, y);
    const { column, row } = rangePixel(image, pan, tilt);
    await image.load(column, row, pickReach);
    const found = pickRange(image, pan, tilt);
    if (!found) return undefined;
    return {
      point: found.point,
      normal: found.normal,
      source: 'RANGE_IMAGE',
      sigma: found.sigma ?? (sigma > 0 ? sigma : undefined),
      edge: found.edge,
    };
  }

  async patch(pick: SurfacePick, radius: number): Promise<Float64Array> {
    const image = this.#rangesNow()?.image;
    if (!image) return new Float64Array(0);
    const { pan, tilt, distance } = seenFrom(image.position, pick.point);
    const pixel = rangePixel(image, pan, tilt);
    await image.load(
      pixel.column,
      pixel.row,
      Math.ceil((Math.atan2(radius, distance) / (2 * Math.PI)) * image.width) + pickReach,
    );
    return growPatch(image, pixel, { radius });
  }

  toPixel(point: Point3): { readonly x: number; readonly y: number } | undefined {
    const picture = this.#shown.picture();
    if (!picture) return undefined;
    const { pan, tilt } = seenFrom(picture.position, point);
    return this.#shown.engine.toPixel(pan, tilt);
  }

  sees(point: Point3): boolean {
    const image = this.#rangesNow()?.image;
    if (!image) return true;
    const { pan, tilt, distance } = seenFrom(image.position, point);
    const { column, row } = rangePixel(image, pan, tilt);
    if (!image.holds(column, row)) {
      image.load(column, row, 0).then(
        () => this.#changed(),
        () => undefined,
      );
      return true;
    }
    const range = image.at(column, row) / 1000;
    return range === 0 || range >= distance - occlusionMargin;
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    const ends = [
      this.#shown.engine.on('viewChanged', listener),
      this.#shown.engine.on('shown', listener),
      this.#shown.engine.on('resized', listener),
    ];
    return () => {
      this.#listeners.delete(listener);
      for (const end of ends) end();
    };
  }

  picture(): Promise<Blob> {
    return this.#shown.engine.picture();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #rangesNow(): { readonly sigma: number; readonly image: RangeTiles } | undefined {
    const picture = this.#shown.picture();
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
  if (!response.ok)
    throw new Error(`The ranges of the scan could not be read: the server answered ${response.status}.`);
  return response.blob();
}

function seenFrom(
  eye: Point3,
  point: Point3,
): { readonly pan: number; readonly tilt: number; readonly distance: number } {
  const ray: Point3 = [point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]];
  return { ...toPanTilt(ray), distance: Math.hypot(...ray) };
}
