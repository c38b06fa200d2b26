import { actionBound, computed, makeObservable, observableRef } from 'mobx';
import type { Point3 } from '#core';
import type { MeasurementKind, MeasurementResult, StoredPoint } from '#plugins/annotate';
import type { SurfacePick, ViewSurface } from '#plugins/tour';
import { measureDiameter, type Diameter, type DiameterRefusal } from '../../../common/geometry/diameter.ts';
import { isSameAim, type Aim } from '../../viewer/get-aim.ts';
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

export interface MeasurementDraftHost {
  /** Returns the points to which clicks snap, in addition to points of the current measurement. */
  readonly getSnapTargets: () => readonly StoredPoint[];
  /** Returns the viewpoint of a panorama's range image. */
  readonly getEye: () => Point3 | undefined;
  readonly getAim: () => Aim | undefined;
  readonly onCompleted: (measurement: CompletedMeasurement) => void;
}

/** The current measurement. Clicks add points, from which the result is computed. */
export class MeasurementDraft implements SurfaceTool {
  kind: MeasurementKind | undefined;
  points: readonly StoredPoint[] = [];
  /** The point under the pointer. */
  hover: StoredPoint | undefined;
  /** Whether a click would snap to an earlier point. */
  willSnap = false;
  /** Whether the last point was snapped to an earlier point. */
  lastPointSnapped = false;
  /** Whether clicks snap to earlier points nearby. */
  snapEnabled = true;
  /** Whether a cylinder fit is running. */
  busy = false;
  /** The reason for which the last click added no point or found no diameter. */
  refusal: DiameterRefusal | 'nothing' | 'unreadable' | 'depthless' | undefined;
  #host: MeasurementDraftHost | undefined;
  #surface: ViewSurface | undefined;
  /** The surface of the last click. */
  #lastSurface: ViewSurface | undefined;
  #hovering = false;
  #nextHover: (() => Promise<void>) | undefined;
  /** Increased by each added point, so that earlier picks under the pointer are ignored. */
  #hoverGeneration = 0;
  /** Increased by a reset, so that pending picks of an earlier measurement are ignored. */
  #generation = 0;

  constructor() {
    makeObservable<this, 'addPoint' | 'setHover' | 'setBusy' | 'setRefusal' | 'complete'>(this, {
      kind: observableRef,
      points: observableRef,
      hover: observableRef,
      willSnap: observableRef,
      lastPointSnapped: observableRef,
      snapEnabled: observableRef,
      setSnapEnabled: actionBound,
      busy: observableRef,
      refusal: observableRef,
      preview: computed,
      canFinish: computed,
      choose: actionBound,
      cancel: actionBound,
      undo: actionBound,
      finish: actionBound,
      addPoint: actionBound,
      setHover: actionBound,
      setBusy: actionBound,
      setRefusal: actionBound,
      complete: actionBound,
    });
  }

  connect(host: MeasurementDraftHost): void {
    this.#host = host;
  }

  /** The result with a preview of the point under the pointer. */
  get preview(): MeasurementResult | undefined {
    if (!this.kind || this.kind === 'DIAMETER') return undefined;
    const points =
      this.hover && this.points.length < pointCounts[this.kind].max ? [...this.points, this.hover] : this.points;
    return computeResult(this.kind, points) ?? computeResult(this.kind, this.points);
  }

  get canFinish(): boolean {
    return this.kind !== undefined && computeResult(this.kind, this.points) !== undefined;
  }

  get surface(): ViewSurface | undefined {
    return this.#surface;
  }

  /** Starts a measurement of a kind. Choosing the active kind again ends it. */
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
    this.busy = false;
    this.refusal = undefined;
    this.#surface = undefined;
    return wasActive;
  }

  undo(): void {
    this.points = this.points.slice(0, -1);
    this.lastPointSnapped = false;
    this.refusal = undefined;
  }

  setSnapEnabled(enabled: boolean): void {
    this.snapEnabled = enabled;
    this.setHover(undefined, false);
  }

  /** Completes a chain or an area. */
  finish(): void {
    const { kind, points } = this;
    const result = kind && computeResult(kind, points);
    if (!kind || !result || !this.#surface) return;
    this.complete({ kind: kind, points, result, surface: this.#surface });
  }

  /**
   * Handles a click or tap, in pixels from the host's top left corner. The click is ignored during a transition and if
   * the camera moves before the surface is loaded.
   */
  async addAt(surface: ViewSurface, x: number, y: number, options?: PickOptions): Promise<void> {
    const { kind } = this;
    if (!kind || (this.busy && surface === this.#lastSurface)) return;
    const snapTarget = this.#findSnapTarget(surface, x, y, options);
    if (!snapTarget && surface.isMoving?.()) return;
    // A pick on another surface is still pending. That surface may have left the screen.
    if (this.busy) this.#generation += 1;
    this.#lastSurface = surface;
    const generation = this.#generation;
    const aim = this.#host?.getAim();
    this.setRefusal(snapTarget || hasDepth(surface) ? undefined : 'depthless');
    if (this.refusal) return;
    this.setBusy(true);
    try {
      if (!snapTarget) await surface.ready?.();
      if (generation !== this.#generation || !isSameAim(aim, this.#host?.getAim())) return;
      const pick = snapTarget ? undefined : await surface.pick(x, y);
      if (generation !== this.#generation) return;
      const point = snapTarget ?? (pick && toStoredPoint(pick, surface));
      // A pick may find out that nothing is known about the depth of a picture.
      if (!point) this.setRefusal(hasDepth(surface) ? 'nothing' : 'depthless');
      else if (kind === 'DIAMETER' && pick) await this.#measureDiameter(surface, pick, point, generation);
      else this.addPoint(surface, point, snapTarget !== undefined);
    } catch {
      if (generation === this.#generation) this.setRefusal('unreadable');
    } finally {
      if (generation === this.#generation) this.setBusy(false);
    }
  }

  /** Handles a pointer move. One pick runs at a time, for the latest position. */
  async hoverAt(surface: ViewSurface, x: number, y: number, options?: PickOptions): Promise<void> {
    if (!this.kind || this.kind === 'DIAMETER') return;
    this.#nextHover = this.#hovering ? () => this.hoverAt(surface, x, y, options) : undefined;
    if (this.#hovering) return;
    const [generation, hoverGeneration] = [this.#generation, this.#hoverGeneration];
    this.#hovering = true;
    try {
      const snapTarget = this.#findSnapTarget(surface, x, y, options);
      const pick = snapTarget ? undefined : await surface.pick(x, y);
      if (generation === this.#generation && hoverGeneration === this.#hoverGeneration)
        this.setHover(snapTarget ?? (pick && toStoredPoint(pick, surface)), snapTarget !== undefined);
    } catch {
      // Errors are reported on click only.
      if (generation === this.#generation) this.setHover(undefined, false);
    } finally {
      this.#hovering = false;
      // Picks again at the latest position, so that a click never snaps to a point without a mark.
      if (generation === this.#generation && hoverGeneration === this.#hoverGeneration) void this.#nextHover?.();
    }
  }

  /** Forgets that the last surface has no depth, such as before another module is opened. */
  clearRefusal(): void {
    this.setRefusal(undefined);
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
    const eye = pick.source === 'RANGE_IMAGE' ? this.#host?.getEye() : undefined;
    const answer = await measureDiameter(pick.point, (radius) => surface.patch(pick, radius), {
      sigma: pick.sigma,
      eye,
      mesh: surface.mesh && ((radius) => surface.mesh?.(pick, radius) ?? Promise.resolve(undefined)),
    });
    if (generation !== this.#generation) return;
    if (answer.diameter) this.#saveDiameter(surface, point, answer.diameter);
    else this.setRefusal(answer.refusal);
  }

  #saveDiameter(surface: ViewSurface, point: StoredPoint, diameter: Diameter): void {
    const result = computeResult('DIAMETER', [point], diameter);
    if (result) this.complete({ kind: 'DIAMETER', points: [point], result, surface });
  }

  private addPoint(surface: ViewSurface, point: StoredPoint, lastPointSnapped: boolean): void {
    const { kind } = this;
    if (!kind) return;
    this.#surface = surface;
    this.#hoverGeneration += 1;
    this.refusal = undefined;
    this.setHover(undefined, false);
    this.lastPointSnapped = lastPointSnapped;
    this.points = [...this.points, point];
    if (this.points.length >= pointCounts[kind].max) this.finish();
  }

  private setHover(point: StoredPoint | undefined, willSnap: boolean): void {
    this.hover = point;
    this.willSnap = willSnap;
  }

  private setBusy(busy: boolean): void {
    this.busy = busy;
  }

  private setRefusal(reason: MeasurementDraft['refusal']): void {
    this.refusal = reason;
  }

  private complete(measurement: CompletedMeasurement): void {
    this.points = [];
    this.setHover(undefined, false);
    this.refusal = undefined;
    this.#host?.onCompleted(measurement);
  }

  /** Finds the point to which a click snaps. */
  #findSnapTarget(surface: ViewSurface, x: number, y: number, options?: PickOptions): StoredPoint | undefined {
    if (this.kind === 'DIAMETER' || !this.snapEnabled || options?.snapDisabled) return undefined;
    return snapTargetAt(surface, [...this.points.slice(0, -1), ...(this.#host?.getSnapTargets() ?? [])], x, y);
  }
}
