import { actionBound, computed, makeObservable, observableRef } from 'mobx';
import type { Point3 } from '#core';
import type { MeasurementKind, MeasurementResult, StoredPoint } from '#plugins/annotate';
import type { SurfacePick, ViewSurface } from '#plugins/tour';
import { measureDiameter, type Diameter, type DiameterProblem } from '../../../common/geometry/diameter.ts';
import { isSameCameraState, type CameraState } from '../../viewer/camera-state.ts';
import { hasDepth } from '../../viewer/has-depth.ts';
import { toStoredPoint } from '../../viewer/to-stored-point.ts';
import type { PickOptions, SurfaceTool } from '../../viewer/surface-tool.ts';
import { pointCounts, computeResult } from '../../../common/compute-result.ts';
import { snapTargetAt } from './snap-target.ts';

/** A measurement with all its points, which can be saved. */
export interface CompletedMeasurement {
  readonly kind: MeasurementKind;
  readonly points: readonly StoredPoint[];
  readonly result: MeasurementResult;
  readonly surface: ViewSurface;
}

export interface MeasurementDraftOptions {
  /** Returns the points to which clicks snap, in addition to points of the current measurement. */
  readonly listSnapTargets: () => readonly StoredPoint[];
  /** Returns the position of the camera, from which a panorama's range image was measured. */
  readonly findEye: () => Point3 | undefined;
  /** Returns the position and view of the camera. A click is ignored if they change before the pick. */
  readonly captureCameraState: () => CameraState | undefined;
  /** Called once a measurement has all its points. */
  readonly onCompleted: (measurement: CompletedMeasurement) => void;
}

/** The current measurement. Clicks add points, from which the result is computed. */
export class MeasurementDraft implements SurfaceTool {
  kind: MeasurementKind | undefined;
  points: readonly StoredPoint[] = [];
  /** The point under the pointer. */
  hoverPoint: StoredPoint | undefined;
  /** Whether a click would snap to an earlier point. */
  willSnap = false;
  /** Whether the last point was snapped to an earlier point. */
  lastPointSnapped = false;
  /** Whether clicks snap to earlier points nearby. */
  snapEnabled = true;
  /** Whether a clicked point is pending: its surface is loading, or the point or cylinder is being computed. */
  isPicking = false;
  /**
   * Why the last click added no point or found no diameter: it hit no surface, the pick failed, or the depth of the
   * view is unknown.
   */
  clickProblem: DiameterProblem | 'noHit' | 'pickFailed' | 'noDepth' | undefined;
  #options: MeasurementDraftOptions | undefined;
  #pointSurface: ViewSurface | undefined;
  /** The surface of the last click, even if the click added no point. */
  #clickedSurface: ViewSurface | undefined;
  #isHoverPickRunning = false;
  /** Picks at the latest pointer position that arrived while another hover pick was running. */
  #nextHover: (() => Promise<void>) | undefined;
  /** Increased with each added point, so that hover picks that started before it are ignored. */
  #hoverGeneration = 0;
  /** Increased by `cancel` and by a click on another surface, so that pending picks are ignored. */
  #generation = 0;

  constructor() {
    makeObservable<this, 'addPoint' | 'setHover' | 'setPicking' | 'setClickProblem' | 'completeWith'>(this, {
      kind: observableRef,
      points: observableRef,
      hoverPoint: observableRef,
      willSnap: observableRef,
      lastPointSnapped: observableRef,
      snapEnabled: observableRef,
      setSnapEnabled: actionBound,
      isPicking: observableRef,
      clickProblem: observableRef,
      preview: computed,
      canComplete: computed,
      choose: actionBound,
      cancel: actionBound,
      undo: actionBound,
      complete: actionBound,
      addPoint: actionBound,
      setHover: actionBound,
      setPicking: actionBound,
      setClickProblem: actionBound,
      completeWith: actionBound,
    });
  }

  connect(options: MeasurementDraftOptions): void {
    this.#options = options;
  }

  /** The result with a preview of the point under the pointer. */
  get preview(): MeasurementResult | undefined {
    if (!this.kind || this.kind === 'DIAMETER') return undefined;
    const points =
      this.hoverPoint && this.points.length < pointCounts[this.kind].max
        ? [...this.points, this.hoverPoint]
        : this.points;
    return computeResult(this.kind, points) ?? computeResult(this.kind, this.points);
  }

  get canComplete(): boolean {
    return this.kind !== undefined && computeResult(this.kind, this.points) !== undefined;
  }

  /** The surface of the last added point. */
  get surface(): ViewSurface | undefined {
    return this.#pointSurface;
  }

  /** Starts a measurement of a kind. Ends the tool without a kind, or if the kind is already active. */
  choose(kind: MeasurementKind | undefined): void {
    const isActive = kind === this.kind;
    this.cancel();
    this.kind = isActive ? undefined : kind;
  }

  /** Removes the points, or ends the tool if there are no points. Returns whether a tool was active. */
  cancel(): boolean {
    this.#generation += 1;
    const wasActive = this.kind !== undefined;
    if (this.points.length === 0) this.kind = undefined;
    this.points = [];
    this.setHover(undefined, false);
    this.lastPointSnapped = false;
    this.isPicking = false;
    this.clickProblem = undefined;
    this.#pointSurface = undefined;
    return wasActive;
  }

  undo(): void {
    this.points = this.points.slice(0, -1);
    this.lastPointSnapped = false;
    this.clickProblem = undefined;
  }

  setSnapEnabled(enabled: boolean): void {
    this.snapEnabled = enabled;
    this.setHover(undefined, false);
  }

  /** Completes a measurement that has no fixed number of points: a chain or an area. */
  complete(): void {
    const { kind, points } = this;
    const result = kind && computeResult(kind, points);
    if (!kind || !result || !this.#pointSurface) return;
    this.completeWith({ kind, points, result, surface: this.#pointSurface });
  }

  /**
   * Handles a click or tap, in pixels from the host's top left corner. A click that snaps adds the snap target. Any
   * other click is ignored during a transition, and if the camera moves before the surface is loaded.
   */
  async addPointAtPixel(surface: ViewSurface, x: number, y: number, options?: PickOptions): Promise<void> {
    const { kind } = this;
    if (!kind || (this.isPicking && surface === this.#clickedSurface)) return;
    const snapTarget = this.#findSnapTarget(surface, x, y, options);
    if (!snapTarget && surface.isMoving?.()) return;
    // A pick on another surface is still pending. That surface may have left the screen.
    if (this.isPicking) this.#generation += 1;
    this.#clickedSurface = surface;
    const generation = this.#generation;
    const viewAtClick = this.#options?.captureCameraState();
    this.setClickProblem(snapTarget || hasDepth(surface) ? undefined : 'noDepth');
    if (this.clickProblem) return;
    this.setPicking(true);
    try {
      if (!snapTarget) await surface.ready?.();
      if (generation !== this.#generation || !isSameCameraState(viewAtClick, this.#options?.captureCameraState()))
        return;
      const pick = snapTarget ? undefined : await surface.pick(x, y);
      if (generation !== this.#generation) return;
      const point = snapTarget ?? (pick && toStoredPoint(pick, surface));
      // A pick may reveal that a picture has no depth.
      if (!point) this.setClickProblem(hasDepth(surface) ? 'noHit' : 'noDepth');
      else if (kind === 'DIAMETER' && pick) await this.#measureDiameter(surface, pick, point, generation);
      else this.addPoint(surface, point, snapTarget !== undefined);
    } catch {
      if (generation === this.#generation) this.setClickProblem('pickFailed');
    } finally {
      if (generation === this.#generation) this.setPicking(false);
    }
  }

  /** Handles a pointer move. One pick runs at a time, for the latest position. */
  async hoverAtPixel(surface: ViewSurface, x: number, y: number, options?: PickOptions): Promise<void> {
    if (!this.kind || this.kind === 'DIAMETER') return;
    this.#nextHover = this.#isHoverPickRunning ? () => this.hoverAtPixel(surface, x, y, options) : undefined;
    if (this.#isHoverPickRunning) return;
    const [generation, hoverGeneration] = [this.#generation, this.#hoverGeneration];
    this.#isHoverPickRunning = true;
    try {
      const snapTarget = this.#findSnapTarget(surface, x, y, options);
      const pick = snapTarget ? undefined : await surface.pick(x, y);
      if (generation === this.#generation && hoverGeneration === this.#hoverGeneration)
        this.setHover(snapTarget ?? (pick && toStoredPoint(pick, surface)), snapTarget !== undefined);
    } catch {
      // Errors are reported on click only.
      if (generation === this.#generation) this.setHover(undefined, false);
    } finally {
      this.#isHoverPickRunning = false;
      // Picks again at the latest position, so that a click never snaps to a point without a mark.
      if (generation === this.#generation && hoverGeneration === this.#hoverGeneration) void this.#nextHover?.();
    }
  }

  /** Clears the message that the last surface has no depth, such as before another module is opened. */
  clearClickProblem(): void {
    this.setClickProblem(undefined);
  }

  clearHover(): void {
    this.#nextHover = undefined;
    this.setHover(undefined, false);
  }

  async #measureDiameter(
    surface: ViewSurface,
    pick: SurfacePick,
    point: StoredPoint,
    generation: number,
  ): Promise<void> {
    const eye = pick.source === 'RANGE_IMAGE' ? this.#options?.findEye() : undefined;
    const result = await measureDiameter(pick.point, (radius) => surface.findSurfacePoints(pick, radius), {
      sigma: pick.sigma,
      eye,
      findMesh: surface.mesh && ((radius) => surface.mesh?.(pick, radius) ?? Promise.resolve(undefined)),
    });
    if (generation !== this.#generation) return;
    if (result.diameter) this.#completeDiameter(surface, point, result.diameter);
    else this.setClickProblem(result.problem);
  }

  #completeDiameter(surface: ViewSurface, point: StoredPoint, diameter: Diameter): void {
    const result = computeResult('DIAMETER', [point], diameter);
    if (result) this.completeWith({ kind: 'DIAMETER', points: [point], result, surface });
  }

  private addPoint(surface: ViewSurface, point: StoredPoint, lastPointSnapped: boolean): void {
    const { kind } = this;
    if (!kind) return;
    this.#pointSurface = surface;
    this.#hoverGeneration += 1;
    this.clickProblem = undefined;
    this.setHover(undefined, false);
    this.lastPointSnapped = lastPointSnapped;
    this.points = [...this.points, point];
    if (this.points.length >= pointCounts[kind].max) this.complete();
  }

  private setHover(point: StoredPoint | undefined, willSnap: boolean): void {
    this.hoverPoint = point;
    this.willSnap = willSnap;
  }

  private setPicking(isPicking: boolean): void {
    this.isPicking = isPicking;
  }

  private setClickProblem(problem: MeasurementDraft['clickProblem']): void {
    this.clickProblem = problem;
  }

  private completeWith(measurement: CompletedMeasurement): void {
    this.points = [];
    this.setHover(undefined, false);
    this.clickProblem = undefined;
    this.#options?.onCompleted(measurement);
  }

  /** Finds the point to which a click snaps. */
  #findSnapTarget(surface: ViewSurface, x: number, y: number, options?: PickOptions): StoredPoint | undefined {
    if (this.kind === 'DIAMETER' || !this.snapEnabled || options?.snapDisabled) return undefined;
    return snapTargetAt(surface, [...this.points.slice(0, -1), ...(this.#options?.listSnapTargets() ?? [])], x, y);
  }
}
