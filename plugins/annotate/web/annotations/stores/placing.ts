import { actionBound, computed, makeObservable, observableRef } from 'mobx';
import type { Point3 } from '#core';
import type { AnnotationKind, StoredPoint } from '#plugins/annotate';
import type { ViewSurface } from '#plugins/tour';
import { isSameAim, type Aim } from '../../viewer/get-aim.ts';
import { hasDepth } from '../../viewer/has-depth.ts';
import { toStoredPoint } from '../../viewer/to-stored-point.ts';
import type { SurfaceTool } from '../../viewer/surface-tool.ts';
import { facingBox } from '../../../common/geometry/facing-box.ts';

/** Number of clicks that a kind needs. */
export const clicksByKind: Readonly<Record<AnnotationKind, 1 | 2>> = {
  CORDINATES: 1,
  TEMPERATURE: 1,
  DISTANCE: 2,
  TEXT_LABEL: 1,
  ARROW: 2,
  RECTANGLE: 2,
  ELLIPSE: 2,
};

const isBox = (kind: AnnotationKind): boolean => kind === 'RECTANGLE' || kind === 'ELLIPSE';

/** An annotation with its points, before a person enters name and text. */
export interface PlacedAnnotation {
  readonly kind: AnnotationKind;
  readonly points: readonly StoredPoint[];
  readonly surface: ViewSurface;
}

/** Placing an annotation: clicks become points in space. Enough points become a draft. Observable. */
export class Placing implements SurfaceTool {
  tool: AnnotationKind | undefined;
  points: readonly StoredPoint[] = [];
  hover: StoredPoint | undefined;
  /**
   * Why the last click placed nothing: no surface was hit, both clicks are on one line of sight, or the surface could
   * not be read.
   */
  refused: 'noPlace' | 'unreadable' | 'depthless' | undefined;
  placed: PlacedAnnotation | undefined;
  readonly #eye: () => Point3 | undefined;
  readonly #aim: () => Aim | undefined;
  /** The clicked pixel while its pick is pending. */
  #asked: ViewSurface | undefined;
  #hovering = false;
  /** Increased by a reset, so that pending picks of an earlier drawing are ignored. */
  #turn = 0;

  /** `eye` is the camera position. A rectangle is perpendicular to the line of sight from it. */
  constructor(eye: () => Point3 | undefined, aim: () => Aim | undefined) {
    this.#eye = eye;
    this.#aim = aim;
    makeObservable<this, 'add' | 'setHover' | 'refuse'>(this, {
      tool: observableRef,
      points: observableRef,
      hover: observableRef,
      refused: observableRef,
      placed: observableRef,
      shown: computed,
      choose: actionBound,
      cancel: actionBound,
      undo: actionBound,
      add: actionBound,
      setHover: actionBound,
      refuse: actionBound,
    });
  }

  /** Preview that includes the point under the pointer. */
  get shown(): readonly StoredPoint[] {
    const { tool, points, hover, placed } = this;
    if (placed) return placed.points;
    if (!tool) return [];
    const all = hover && points.length < clicksByKind[tool] ? [...points, hover] : points;
    return isBox(tool) ? (frameBox(this.#eye(), undefined, all) ?? all) : all;
  }

  /** Choosing the active tool again ends it. */
  choose(tool: AnnotationKind | undefined): void {
    const same = tool === this.tool;
    this.cancel();
    this.tool = same ? undefined : tool;
  }

  cancel(): boolean {
    this.#turn += 1;
    const had = this.tool !== undefined;
    if (this.points.length === 0 && !this.placed) this.tool = undefined;
    this.points = [];
    this.placed = undefined;
    this.hover = undefined;
    this.refused = undefined;
    this.#asked = undefined;
    return had;
  }

  undo(): void {
    this.placed = undefined;
    this.points = this.points.slice(0, -1);
    this.refused = undefined;
  }

  /** Each kind has a fixed number of clicks. */
  finish(): void {}

  /**
   * Handles a click or tap, in pixels from the host's top left corner. Ignored if the camera moves before the surface
   * is loaded.
   */
  async addAt(surface: ViewSurface, x: number, y: number): Promise<void> {
    const { tool } = this;
    if (!tool || this.placed || surface === this.#asked) return;
    if (!hasDepth(surface)) return this.refuse('depthless');
    // The surface of a pending pick may no longer be on screen.
    if (this.#asked) this.#turn += 1;
    this.#asked = surface;
    const turn = this.#turn;
    const aim = this.#aim();
    this.refuse(undefined);
    try {
      await surface.ready?.();
      if (turn !== this.#turn || !isSameAim(aim, this.#aim())) return;
      const pick = await surface.pick(x, y);
      const middle =
        pick && isBox(tool) && this.points.length === 1 ? await this.#pickBetween(surface, x, y) : undefined;
      if (turn !== this.#turn) return;
      if (pick) this.add(tool, surface, toStoredPoint(pick, surface), middle);
      else this.refuse('noPlace');
    } catch {
      if (turn === this.#turn) this.refuse('unreadable');
    } finally {
      if (turn === this.#turn) this.#asked = undefined;
    }
  }

  async hoverAt(surface: ViewSurface, x: number, y: number): Promise<void> {
    if (!this.tool || this.placed || this.#hovering) return;
    const turn = this.#turn;
    this.#hovering = true;
    try {
      const pick = await surface.pick(x, y);
      if (turn === this.#turn && !this.placed) this.setHover(pick && toStoredPoint(pick, surface));
    } catch {
      // An unreadable surface under the pointer is reported on click.
      if (turn === this.#turn) this.setHover(undefined);
    } finally {
      this.#hovering = false;
    }
  }

  leave(): void {
    this.setHover(undefined);
  }

  /** A rectangle's middle is on the marked object. Its corners may hit the wall behind. */
  async #pickBetween(surface: ViewSurface, x: number, y: number): Promise<StoredPoint | undefined> {
    const first = this.points[0];
    const pixel = first && surface.toPixel(first.point);
    const pick = pixel && (await surface.pick((pixel.x + x) / 2, (pixel.y + y) / 2));
    return pick && toStoredPoint(pick, surface);
  }

  private add(tool: AnnotationKind, surface: ViewSurface, point: StoredPoint, middle: StoredPoint | undefined): void {
    const points = [...this.points, point];
    this.hover = undefined;
    this.refused = undefined;
    if (points.length < clicksByKind[tool]) {
      this.points = points;
      return;
    }
    const kept = isBox(tool) ? frameBox(this.#eye(), middle, points) : points;
    if (!kept) return this.refuse('noPlace');
    this.points = points;
    this.placed = { kind: tool, points: kept, surface };
  }

  private setHover(point: StoredPoint | undefined): void {
    this.hover = point;
  }

  private refuse(reason: Placing['refused']): void {
    this.refused = reason;
  }
}

/** The four corners at the depth of the middle, or of the nearer corner if that depth is unknown. */
function frameBox(
  eye: Point3 | undefined,
  middle: StoredPoint | undefined,
  [first, second]: readonly StoredPoint[],
): readonly StoredPoint[] | undefined {
  if (!eye || !first || !second) return undefined;
  const away = ({ point }: StoredPoint): number => Math.hypot(point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]);
  const depth = middle ?? (away(first) <= away(second) ? first : second);
  return facingBox(eye, depth.point, first.point, second.point)?.map((point) => ({ ...depth, point, edge: false }));
}
