import { actionBound, computed, makeObservable, observableRef } from 'mobx';
import type { Point3 } from '#core';
import type { MeasurementKind, MeasurementResult, StoredPoint } from '#plugins/annotate';
import type { SurfacePick, ViewSurface } from '#plugins/tour';
import { measureDiameter, type Diameter, type DiameterRefusal } from '../../../common/geometry/diameter.ts';
import { isSameAim, type Aim } from '../../viewer/get-aim.ts';
import { hasDepth } from '../../viewer/has-depth.ts';
import { toStoredPoint } from '../../viewer/to-stored-point.ts';
import type { AimOptions, SurfaceTool } from '../../viewer/surface-tool.ts';
import { pointCounts, computeResult } from '../../../common/compute-result.ts';
import { snapTargetAt } from './snap-target.ts';

/** A complete result that can be saved. */
export interface Measured {
  readonly kind: MeasurementKind;
  readonly points: readonly StoredPoint[];
  readonly result: MeasurementResult;
  readonly surface: ViewSurface;
}

export interface MeasuringParts {
  /** Points of the site that are in the picture and that clicks snap to. */
  readonly targets: () => readonly StoredPoint[];
  /** The viewpoint of a panorama's range image. */
  readonly eye: () => Point3 | undefined;
  readonly aim: () => Aim | undefined;
  readonly onMeasured: (measured: Measured) => void;
}

/** The current measurement: clicks become points, points a result. Observable. */
export class Measuring implements SurfaceTool {
  tool: MeasurementKind | undefined;
  points: readonly StoredPoint[] = [];
  /** The point under the pointer. */
  hover: StoredPoint | undefined;
  /** Whether a click would snap to an earlier point. */
  snapping = false;
  /** Whether the last point was snapped to an earlier one. */
  snapped = false;
  /** Whether clicks snap to earlier points nearby. */
  snapEnabled = true;
  /** Whether a cylinder fit is running. */
  busy = false;
  /** Why the last click gave nothing: no surface was hit, or no diameter was found. */
  refusal: DiameterRefusal | 'nothing' | 'unreadable' | 'depthless' | undefined;
  #parts: MeasuringParts | undefined;
  #surface: ViewSurface | undefined;
  /** The pixel of the last click. */
  #asked: ViewSurface | undefined;
  #hovering = false;
  #nextHover: (() => Promise<void>) | undefined;
  /** Set if a point was added after the pick under the pointer was requested. */
  #hoverTurn = 0;
  /** Increased by a reset, so that pending picks of an earlier measurement are ignored. */
  #turn = 0;

  constructor() {
    makeObservable<this, 'add' | 'setHover' | 'setBusy' | 'refuse' | 'keep'>(this, {
      tool: observableRef,
      points: observableRef,
      hover: observableRef,
      snapping: observableRef,
      snapped: observableRef,
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
      add: actionBound,
      setHover: actionBound,
      setBusy: actionBound,
      refuse: actionBound,
      keep: actionBound,
    });
  }

  connect(parts: MeasuringParts): void {
    this.#parts = parts;
  }

  /** Preview that includes the point under the pointer. */
  get preview(): MeasurementResult | undefined {
    if (!this.tool || this.tool === 'DIAMETER') return undefined;
    const points =
      this.hover && this.points.length < pointCounts[this.tool].most ? [...this.points, this.hover] : this.points;
    return computeResult(this.tool, points) ?? computeResult(this.tool, this.points);
  }

  get canFinish(): boolean {
    return this.tool !== undefined && computeResult(this.tool, this.points) !== undefined;
  }

  get surface(): ViewSurface | undefined {
    return this.#surface;
  }

  /** Choosing the active tool again ends it. */
  choose(tool: MeasurementKind | undefined): void {
    const same = tool === this.tool;
    this.cancel();
    this.tool = same ? undefined : tool;
  }

  /** Removes the points, or ends the tool without points. Returns whether it did anything. */
  cancel(): boolean {
    this.#turn += 1;
    const had = this.tool !== undefined;
    if (this.points.length === 0) this.tool = undefined;
    this.points = [];
    this.setHover(undefined, false);
    this.snapped = false;
    this.busy = false;
    this.refusal = undefined;
    this.#surface = undefined;
    return had;
  }

  undo(): void {
    this.points = this.points.slice(0, -1);
    this.snapped = false;
    this.refusal = undefined;
  }

  setSnapEnabled(enabled: boolean): void {
    this.snapEnabled = enabled;
    this.setHover(undefined, false);
  }

  /** Ends a chain or an area. */
  finish(): void {
    const { tool, points } = this;
    const result = tool && computeResult(tool, points);
    if (!tool || !result || !this.#surface) return;
    this.keep({ kind: tool, points, result, surface: this.#surface });
  }

  /**
   * Handles a click or tap, in pixels from the host's top left corner. Ignored if the camera moves before the surface
   * is loaded.
   */
  async addAt(surface: ViewSurface, x: number, y: number, options?: AimOptions): Promise<void> {
    const { tool } = this;
    if (!tool || (this.busy && surface === this.#asked)) return;
    // The surface of a pending pick may no longer be on screen.
    if (this.busy) this.#turn += 1;
    this.#asked = surface;
    const turn = this.#turn;
    const aim = this.#parts?.aim();
    const snapped = this.#snap(surface, x, y, options);
    this.refuse(snapped || hasDepth(surface) ? undefined : 'depthless');
    if (this.refusal) return;
    this.setBusy(true);
    try {
      if (!snapped) await surface.ready?.();
      if (turn !== this.#turn || !isSameAim(aim, this.#parts?.aim())) return;
      const pick = snapped ? undefined : await surface.pick(x, y);
      if (turn !== this.#turn) return;
      const point = snapped ?? (pick && toStoredPoint(pick, surface));
      if (!point) this.refuse('nothing');
      else if (tool === 'DIAMETER' && pick) await this.#measureDiameter(surface, pick, point, turn);
      else this.add(surface, point, snapped !== undefined);
    } catch {
      if (turn === this.#turn) this.refuse('unreadable');
    } finally {
      if (turn === this.#turn) this.setBusy(false);
    }
  }

  /** Handles a pointer move. One pick runs at a time, for the latest position. */
  async hoverAt(surface: ViewSurface, x: number, y: number, options?: AimOptions): Promise<void> {
    if (!this.tool || this.tool === 'DIAMETER') return;
    this.#nextHover = this.#hovering ? () => this.hoverAt(surface, x, y, options) : undefined;
    if (this.#hovering) return;
    const [turn, hoverTurn] = [this.#turn, this.#hoverTurn];
    this.#hovering = true;
    try {
      const snapped = this.#snap(surface, x, y, options);
      const pick = snapped ? undefined : await surface.pick(x, y);
      if (turn === this.#turn && hoverTurn === this.#hoverTurn)
        this.setHover(snapped ?? (pick && toStoredPoint(pick, surface)), snapped !== undefined);
    } catch {
      // An unreadable surface under the pointer is reported on click.
      if (turn === this.#turn) this.setHover(undefined, false);
    } finally {
      this.#hovering = false;
      // The last pick is at the rest position, so that a click never snaps to a point that was not shown.
      if (turn === this.#turn && hoverTurn === this.#hoverTurn) void this.#nextHover?.();
    }
  }

  leave(): void {
    this.#nextHover = undefined;
    this.setHover(undefined, false);
  }

  async #measureDiameter(surface: ViewSurface, pick: SurfacePick, point: StoredPoint, turn: number): Promise<void> {
    const eye = pick.source === 'RANGE_IMAGE' ? this.#parts?.eye() : undefined;
    const answer = await measureDiameter(pick.point, (radius) => surface.patch(pick, radius), {
      sigma: pick.sigma,
      eye,
      mesh: surface.mesh && ((radius) => surface.mesh?.(pick, radius) ?? Promise.resolve(undefined)),
    });
    if (turn !== this.#turn) return;
    if (answer.diameter) this.#saveDiameter(surface, point, answer.diameter);
    else this.refuse(answer.refusal);
  }

  #saveDiameter(surface: ViewSurface, point: StoredPoint, diameter: Diameter): void {
    const result = computeResult('DIAMETER', [point], diameter);
    if (result) this.keep({ kind: 'DIAMETER', points: [point], result, surface });
  }

  private add(surface: ViewSurface, point: StoredPoint, snapped: boolean): void {
    const { tool } = this;
    if (!tool) return;
    this.#surface = surface;
    this.#hoverTurn += 1;
    this.refusal = undefined;
    this.setHover(undefined, false);
    this.snapped = snapped;
    this.points = [...this.points, point];
    if (this.points.length >= pointCounts[tool].most) this.finish();
  }

  private setHover(point: StoredPoint | undefined, snapping: boolean): void {
    this.hover = point;
    this.snapping = snapping;
  }

  private setBusy(busy: boolean): void {
    this.busy = busy;
  }

  private refuse(reason: Measuring['refusal']): void {
    this.refusal = reason;
  }

  private keep(measured: Measured): void {
    this.points = [];
    this.setHover(undefined, false);
    this.refusal = undefined;
    this.#parts?.onMeasured(measured);
  }

  /** Snap targets: points of the current measurement, of the saved ones and of the selected tag. */
  #snap(surface: ViewSurface, x: number, y: number, options?: AimOptions): StoredPoint | undefined {
    if (this.tool === 'DIAMETER' || !this.snapEnabled || options?.free) return undefined;
    return snapTargetAt(surface, [...this.points.slice(0, -1), ...(this.#parts?.targets() ?? [])], x, y);
  }
}
