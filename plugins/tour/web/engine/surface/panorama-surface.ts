import { panTiltOf, type Point3 } from '#core';
import type { PanoramaEngine, PanoramaPicture, SurfacePick, ViewSurface } from '#plugins/tour';
import { growPatch } from '../range/grow-patch.ts';
import { pickRange } from '../range/pick-range.ts';
import { rangePixel } from '../range/range-image.ts';
import { TiledRanges, type ReadRangeTile } from '../range/range-tiles.ts';

/** Pixels around a pick that its surface is told from. */
const pickReach = 12;
/** Metres by which something must stand before a point to hide it: what is measured lies on a surface, and a range has noise and rounding. */
const hiding = 0.15;

export interface ShownPanorama {
  readonly engine: Pick<PanoramaEngine, 'pixelOf' | 'directionAt' | 'picture' | 'on'>;
  readonly host: HTMLElement;
  /** The picture on screen. */
  readonly picture: () => PanoramaPicture | undefined;
}

/** A panorama as tools that work in space see it: directions from its camera, and places by its ranges. */
export class PanoramaSurface implements ViewSurface {
  readonly module: string;
  readonly host: HTMLElement;
  readonly #shown: ShownPanorama;
  readonly #read: ReadRangeTile | undefined;
  #ranges: { readonly picture: PanoramaPicture; readonly tiles: TiledRanges } | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(module: string, shown: ShownPanorama, read?: ReadRangeTile) {
    this.module = module;
    this.host = shown.host;
    this.#shown = shown;
    this.#read = read;
  }

  async pick(x: number, y: number): Promise<SurfacePick | undefined> {
    const ranges = this.#rangesNow();
    if (!ranges) return undefined;
    const { pan, tilt } = this.#shown.engine.directionAt(x, y);
    await ranges.load(rangePixel(ranges, pan, tilt), pickReach);
    const found = pickRange(ranges, pan, tilt);
    if (!found) return undefined;
    return { point: found.point, normal: found.normal, source: 'RANGE_IMAGE', sigma: found.sigma ?? (ranges.tiles.sigma > 0 ? ranges.tiles.sigma : undefined), edge: found.edge };
  }

  async patch(pick: SurfacePick, radius: number): Promise<Float64Array> {
    const ranges = this.#rangesNow();
    if (!ranges) return new Float64Array(0);
    const { pan, tilt, distance } = seenFrom(ranges.position, pick.point);
    const pixel = rangePixel(ranges, pan, tilt);
    const reach = Math.min(ranges.width / 2, Math.ceil((Math.atan2(radius, distance) / (2 * Math.PI)) * ranges.width) + pickReach);
    await ranges.load(pixel, reach);
    return growPatch(ranges, pixel, { radius });
  }

  pixelOf(point: Point3): { readonly x: number; readonly y: number } | undefined {
    const picture = this.#shown.picture();
    if (!picture) return undefined;
    const { pan, tilt } = seenFrom(picture.position, point);
    return this.#shown.engine.pixelOf(pan, tilt);
  }

  sees(point: Point3): boolean {
    const ranges = this.#rangesNow();
    if (!ranges) return true;
    const { pan, tilt, distance } = seenFrom(ranges.position, point);
    const pixel = rangePixel(ranges, pan, tilt);
    if (!ranges.holds(pixel)) {
      ranges.load(pixel, 0).then(
        () => this.#changed(),
        () => undefined,
      );
      return true;
    }
    const range = ranges.at(pixel.column, pixel.row) / 1000;
    return range === 0 || range >= distance - hiding;
  }

  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    const ends = [this.#shown.engine.on('viewChanged', listener), this.#shown.engine.on('shown', listener)];
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

  #rangesNow(): TiledRanges | undefined {
    const picture = this.#shown.picture();
    if (!picture?.ranges) return undefined;
    if (this.#ranges?.picture.ranges?.id !== picture.ranges.id) this.#ranges = { picture, tiles: new TiledRanges(picture.ranges, picture, this.#read) };
    return this.#ranges?.tiles;
  }
}

function seenFrom(eye: Point3, point: Point3): { readonly pan: number; readonly tilt: number; readonly distance: number } {
  const ray: Point3 = [point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]];
  return { ...panTiltOf(ray), distance: Math.hypot(...ray) };
}
