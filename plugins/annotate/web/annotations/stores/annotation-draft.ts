import { actionBound, computed, makeObservable, observableRef } from 'mobx';
import type { Point3 } from '#core';
import type { AnnotationKind, StoredPoint } from '#plugins/annotate';
import type { ViewSurface } from '#plugins/tour';
import { isSameCameraState, type CameraState } from '../../viewer/camera-state.ts';
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
  hoverPoint: StoredPoint | undefined;
  /**
   * Why the last click added no point. `noPlace`: it hit no surface, or the two corners span no rectangle.
   * `pickFailed`: the pick failed. `noDepth`: the depth of the view is unknown.
   */
  clickProblem: 'noPlace' | 'pickFailed' | 'noDepth' | undefined;
  placedAnnotation: PlacedAnnotation | undefined;
  readonly #findEye: () => Point3 | undefined;
  readonly #captureCameraState: () => CameraState | undefined;
  /** The clicked surface while the pick is pending. */
  #pendingSurface: ViewSurface | undefined;
  #isHoverPickRunning = false;
  /** Increased by `cancel` and by a click on another surface, so that pending picks are ignored. */
  #generation = 0;

  /** @param findEye returns the camera position. A rectangle is perpendicular to the line of sight. */
  constructor(findEye: () => Point3 | undefined, captureCamera: () => CameraState | undefined) {
    this.#findEye = findEye;
    this.#captureCameraState = captureCamera;
    makeObservable<this, 'addPoint' | 'setHover' | 'setClickProblem'>(this, {
      kind: observableRef,
      points: observableRef,
      hoverPoint: observableRef,
      clickProblem: observableRef,
      placedAnnotation: observableRef,
      previewPoints: computed,
      choose: actionBound,
      cancel: actionBound,
      undo: actionBound,
      addPoint: actionBound,
      setHover: actionBound,
      setClickProblem: actionBound,
    });
  }

  /** The points with a preview of the point under the pointer. */
  get previewPoints(): readonly StoredPoint[] {
    const { kind, points, hoverPoint, placedAnnotation } = this;
    if (placedAnnotation) return placedAnnotation.points;
    if (!kind) return [];
    const allPoints = hoverPoint && points.length < clicksByKind[kind] ? [...points, hoverPoint] : points;
    return isBox(kind) ? (computeBoxCorners(this.#findEye(), undefined, allPoints) ?? allPoints) : allPoints;
  }

  /** Starts a draft of a kind. Ends the tool without a kind, or if the kind is already active. */
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
    this.hoverPoint = undefined;
    this.clickProblem = undefined;
    this.#pendingSurface = undefined;
    return wasActive;
  }

  undo(): void {
    this.placedAnnotation = undefined;
    this.points = this.points.slice(0, -1);
    this.clickProblem = undefined;
  }

  /** Does nothing, because each kind has a fixed number of clicks. */
  complete(): void {}

  /**
   * Handles a click or tap, in pixels from the host's top left corner. The click is ignored during a transition and if
   * the camera moves before the surface is loaded.
   */
  async addPointAtPixel(surface: ViewSurface, x: number, y: number): Promise<void> {
    const { kind } = this;
    if (!kind || this.placedAnnotation || surface === this.#pendingSurface || surface.isMoving?.()) return;
    if (!hasDepth(surface)) return this.setClickProblem('noDepth');
    // A pick on another surface is still pending. That surface may have left the screen.
    if (this.#pendingSurface) this.#generation += 1;
    this.#pendingSurface = surface;
    const generation = this.#generation;
    const viewAtClick = this.#captureCameraState();
    this.setClickProblem(undefined);
    try {
      await surface.ready?.();
      if (generation !== this.#generation || !isSameCameraState(viewAtClick, this.#captureCameraState())) return;
      const pick = await surface.pick(x, y);
      const boxCentre =
        pick && isBox(kind) && this.points.length === 1 ? await this.#pickBoxCentre(surface, x, y) : undefined;
      if (generation !== this.#generation) return;
      if (pick) this.addPoint(kind, surface, toStoredPoint(pick, surface), boxCentre);
      // A pick may reveal that a picture has no depth.
      else this.setClickProblem(hasDepth(surface) ? 'noPlace' : 'noDepth');
    } catch {
      if (generation === this.#generation) this.setClickProblem('pickFailed');
    } finally {
      if (generation === this.#generation) this.#pendingSurface = undefined;
    }
  }

  async hoverAtPixel(surface: ViewSurface, x: number, y: number): Promise<void> {
    if (!this.kind || this.placedAnnotation || this.#isHoverPickRunning) return;
    const generation = this.#generation;
    this.#isHoverPickRunning = true;
    try {
      const pick = await surface.pick(x, y);
      if (generation === this.#generation && !this.placedAnnotation)
        this.setHover(pick && toStoredPoint(pick, surface));
    } catch {
      // Errors are reported on click only.
      if (generation === this.#generation) this.setHover(undefined);
    } finally {
      this.#isHoverPickRunning = false;
    }
  }

  /** Clears the message that the last surface has no depth, such as before another module is opened. */
  clearClickProblem(): void {
    this.setClickProblem(undefined);
  }

  clearHover(): void {
    this.setHover(undefined);
  }

  /** Picks at the centre of a box. The centre is on the marked object, but the corners may hit the wall behind it. */
  async #pickBoxCentre(surface: ViewSurface, x: number, y: number): Promise<StoredPoint | undefined> {
    const firstPoint = this.points[0];
    const pixel = firstPoint && surface.toPixel(firstPoint.point);
    const pick = pixel && (await surface.pick((pixel.x + x) / 2, (pixel.y + y) / 2));
    return pick && toStoredPoint(pick, surface);
  }

  private addPoint(
    kind: AnnotationKind,
    surface: ViewSurface,
    point: StoredPoint,
    boxCentre: StoredPoint | undefined,
  ): void {
    const points = [...this.points, point];
    this.hoverPoint = undefined;
    this.clickProblem = undefined;
    if (points.length < clicksByKind[kind]) {
      this.points = points;
      return;
    }
    const placedPoints = isBox(kind) ? computeBoxCorners(this.#findEye(), boxCentre, points) : points;
    if (!placedPoints) return this.setClickProblem('noPlace');
    this.points = points;
    this.placedAnnotation = { kind, points: placedPoints, surface };
  }

  private setHover(point: StoredPoint | undefined): void {
    this.hoverPoint = point;
  }

  private setClickProblem(problem: AnnotationDraft['clickProblem']): void {
    this.clickProblem = problem;
  }
}

/** Computes the four corners at the depth of the centre, or of the nearer corner if the centre is unknown. */
function computeBoxCorners(
  eye: Point3 | undefined,
  boxCentre: StoredPoint | undefined,
  [first, second]: readonly StoredPoint[],
): readonly StoredPoint[] | undefined {
  if (!eye || !first || !second) return undefined;
  const distanceFromEye = ({ point }: StoredPoint): number =>
    Math.hypot(point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]);
  const depthPoint = boxCentre ?? (distanceFromEye(first) <= distanceFromEye(second) ? first : second);
  return computeFacingBox(eye, depthPoint.point, first.point, second.point)?.map((point) => ({
    ...depthPoint,
    point,
    edge: false,
  }));
}
