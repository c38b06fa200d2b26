import { actionBound, computed, makeObservable, observableRef } from 'mobx';
import type { Point3 } from '#core';
import type { AnnotationKind, StoredPoint } from '#plugins/annotate';
import type { ViewSurface } from '#plugins/tour';
import { isSameAim, type Aim } from '../../viewer/get-aim.ts';
import { hasDepth } from '../../viewer/has-depth.ts';
import { toStoredPoint } from '../../viewer/to-stored-point.ts';
import type { SurfaceTool } from '../../viewer/surface-tool.ts';
import { computeFacingBox } from '../../../common/geometry/facing-box.ts';

/** The number of clicks of each kind. */
const clicksByKind: Readonly<Record<AnnotationKind, 1 | 2>> = {
  CORDINATES: 1,
  TEMPERATURE: 1,
  DISTANCE: 2,
  TEXT_LABEL: 1,
  ARROW: 2,
  RECTANGLE: 2,
  ELLIPSE: 2,
};

const isBox = (kind: AnnotationKind): boolean => kind === 'RECTANGLE' || kind === 'ELLIPSE';

/** An annotation with all its points, before a person enters its text. */
export interface PlacedAnnotation {
  readonly kind: AnnotationKind;
  readonly points: readonly StoredPoint[];
  readonly surface: ViewSurface;
}

/** The annotation that a person is placing. Clicks add points in space until the kind has enough. */
export class AnnotationDraft implements SurfaceTool {
  kind: AnnotationKind | undefined;
  points: readonly StoredPoint[] = [];
  hover: StoredPoint | undefined;
  /**
   * The reason for which the last click added no point. `noPlace` means that the click hit no surface, or that both
   * clicks are on one line of sight.
   */
  refusal: 'noPlace' | 'unreadable' | 'depthless' | undefined;
  placedAnnotation: PlacedAnnotation | undefined;
  readonly #getEye: () => Point3 | undefined;
  readonly #getAim: () => Aim | undefined;
  /** The clicked surface while the pick is pending. */
  #pendingSurface: ViewSurface | undefined;
  #hovering = false;
  /** Increased by a reset, so that pending picks of an earlier draft are ignored. */
  #generation = 0;

  /** @param getEye returns the camera position. A rectangle is perpendicular to the line of sight. */
  constructor(getEye: () => Point3 | undefined, getAim: () => Aim | undefined) {
    this.#getEye = getEye;
    this.#getAim = getAim;
    makeObservable<this, 'addPoint' | 'setHover' | 'setRefusal'>(this, {
      kind: observableRef,
      points: observableRef,
      hover: observableRef,
      refusal: observableRef,
      placedAnnotation: observableRef,
      previewPoints: computed,
      choose: actionBound,
      cancel: actionBound,
      undo: actionBound,
      addPoint: actionBound,
      setHover: actionBound,
      setRefusal: actionBound,
    });
  }

  /** The points with a preview of the point under the pointer. */
  get previewPoints(): readonly StoredPoint[] {
    const { kind, points, hover, placedAnnotation } = this;
    if (placedAnnotation) return placedAnnotation.points;
    if (!kind) return [];
    const all = hover && points.length < clicksByKind[kind] ? [...points, hover] : points;
    return isBox(kind) ? (computeBoxCorners(this.#getEye(), undefined, all) ?? all) : all;
  }

  /** Starts a draft of a kind. Choosing the active kind again ends it. */
  choose(kind: AnnotationKind | undefined): void {
    const isActive = kind === this.kind;
    this.cancel();
    this.kind = isActive ? undefined : kind;
  }

  cancel(): boolean {
    this.#generation += 1;
    const wasActive = this.kind !== undefined;
    if (this.points.length === 0 && !this.placedAnnotation) this.kind = undefined;
    this.points = [];
    this.placedAnnotation = undefined;
    this.hover = undefined;
    this.refusal = undefined;
    this.#pendingSurface = undefined;
    return wasActive;
  }

  undo(): void {
    this.placedAnnotation = undefined;
    this.points = this.points.slice(0, -1);
    this.refusal = undefined;
  }

  /** Does nothing, because each kind has a fixed number of clicks. */
  finish(): void {}

  /**
   * Handles a click or tap, in pixels from the host's top left corner. The click is ignored during a transition and if
   * the camera moves before the surface is loaded.
   */
  async addAt(surface: ViewSurface, x: number, y: number): Promise<void> {
    const { kind } = this;
    if (!kind || this.placedAnnotation || surface === this.#pendingSurface || surface.isMoving?.()) return;
    if (!hasDepth(surface)) return this.setRefusal('depthless');
    // A pick on another surface is still pending. That surface may have left the screen.
    if (this.#pendingSurface) this.#generation += 1;
    this.#pendingSurface = surface;
    const generation = this.#generation;
    const aim = this.#getAim();
    this.setRefusal(undefined);
    try {
      await surface.ready?.();
      if (generation !== this.#generation || !isSameAim(aim, this.#getAim())) return;
      const pick = await surface.pick(x, y);
      const middle =
        pick && isBox(kind) && this.points.length === 1 ? await this.#pickBetween(surface, x, y) : undefined;
      if (generation !== this.#generation) return;
      if (pick) this.addPoint(kind, surface, toStoredPoint(pick, surface), middle);
      // A pick may find out that nothing is known about the depth of a picture.
      else this.setRefusal(hasDepth(surface) ? 'noPlace' : 'depthless');
    } catch {
      if (generation === this.#generation) this.setRefusal('unreadable');
    } finally {
      if (generation === this.#generation) this.#pendingSurface = undefined;
    }
  }

  async hoverAt(surface: ViewSurface, x: number, y: number): Promise<void> {
    if (!this.kind || this.placedAnnotation || this.#hovering) return;
    const generation = this.#generation;
    this.#hovering = true;
    try {
      const pick = await surface.pick(x, y);
      if (generation === this.#generation && !this.placedAnnotation)
        this.setHover(pick && toStoredPoint(pick, surface));
    } catch {
      // Errors are reported on click only.
      if (generation === this.#generation) this.setHover(undefined);
    } finally {
      this.#hovering = false;
    }
  }

  /** Forgets that the last surface has no depth, such as before another module is opened. */
  clearRefusal(): void {
    this.setRefusal(undefined);
  }

  clearHover(): void {
    this.setHover(undefined);
  }

  /** Picks the middle of a rectangle, which is on the marked object. Its corners may hit the wall behind the object. */
  async #pickBetween(surface: ViewSurface, x: number, y: number): Promise<StoredPoint | undefined> {
    const first = this.points[0];
    const pixel = first && surface.toPixel(first.point);
    const pick = pixel && (await surface.pick((pixel.x + x) / 2, (pixel.y + y) / 2));
    return pick && toStoredPoint(pick, surface);
  }

  private addPoint(
    kind: AnnotationKind,
    surface: ViewSurface,
    point: StoredPoint,
    middle: StoredPoint | undefined,
  ): void {
    const points = [...this.points, point];
    this.hover = undefined;
    this.refusal = undefined;
    if (points.length < clicksByKind[kind]) {
      this.points = points;
      return;
    }
    const placedPoints = isBox(kind) ? computeBoxCorners(this.#getEye(), middle, points) : points;
    if (!placedPoints) return this.setRefusal('noPlace');
    this.points = points;
    this.placedAnnotation = { kind, points: placedPoints, surface };
  }

  private setHover(point: StoredPoint | undefined): void {
    this.hover = point;
  }

  private setRefusal(reason: AnnotationDraft['refusal']): void {
    this.refusal = reason;
  }
}

/** Computes the four corners at the depth of the middle, or of the nearer corner if the middle is unknown. */
function computeBoxCorners(
  eye: Point3 | undefined,
  middle: StoredPoint | undefined,
  [first, second]: readonly StoredPoint[],
): readonly StoredPoint[] | undefined {
  if (!eye || !first || !second) return undefined;
  const distanceFromEye = ({ point }: StoredPoint): number =>
    Math.hypot(point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]);
  const depthPoint = middle ?? (distanceFromEye(first) <= distanceFromEye(second) ? first : second);
  return computeFacingBox(eye, depthPoint.point, first.point, second.point)?.map((point) => ({
    ...depthPoint,
    point,
    edge: false,
  }));
}
