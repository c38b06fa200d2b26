import { actionBound, computed, makeObservable, observableRef } from 'mobx';
import type { Point3 } from '#core';
import type { MeasurementKind, MeasurementResult, StoredPoint } from '#plugins/annotate';
import type { SurfacePick, ViewSurface } from '#plugins/tour';
import { measureDiameter, type Diameter, type DiameterRefusal } from '../geometry/diameter.ts';
import { isSameAim, type Aim } from '../../surface/aim-of.ts';
import { hasDepth } from '../../surface/has-depth.ts';
import { storedOf } from '../../surface/stored-of.ts';
import type { SurfaceTool } from '../../surface/surface-tool.ts';
import { pointsOf, resultOf } from '../result-of.ts';

/** A pixel is near another within this; a tap is a little wide. */
const snapReach = 12;

/** A figure that is ready to be kept. */
export interface Measured {
  readonly kind: MeasurementKind;
  readonly points: readonly StoredPoint[];
  readonly result: MeasurementResult;
  readonly surface: ViewSurface;
}

export interface MeasuringParts {
  /** Points of the site that are in the picture: a click snaps to them. */
  readonly targets: () => readonly StoredPoint[];
  /** Where the ranges of a panorama were taken from. */
  readonly eye: () => Point3 | undefined;
  readonly aim: () => Aim | undefined;
  readonly onMeasured: (measured: Measured) => void;
}

/** What one is measuring right now: clicks become points, points a measurement. Observable. */
export class Measuring implements SurfaceTool {
  tool: MeasurementKind | undefined;
  points: readonly StoredPoint[] = [];
  /** What lies under the pointer. */
  hover: StoredPoint | undefined;
  /** A fit is running. */
  busy = false;
  /** Why the last click gave nothing: nothing was hit, or no diameter. */
  refusal: DiameterRefusal | 'nothing' | 'unreadable' | 'depthless' | undefined;
  #parts: MeasuringParts | undefined;
  #surface: ViewSurface | undefined;
  /** What was clicked on last. */
  #asked: ViewSurface | undefined;
  #hovering = false;
  /** Answers to clicks of a measurement that was ended meanwhile count no more. */
  #turn = 0;

  constructor() {
    makeObservable<this, 'add' | 'setHover' | 'setBusy' | 'refuse' | 'keep'>(this, {
      tool: observableRef,
      points: observableRef,
      hover: observableRef,
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

  /** With the point under the pointer taken along. */
  get preview(): MeasurementResult | undefined {
    if (!this.tool || this.tool === 'DIAMETER') return undefined;
    const points =
      this.hover && this.points.length < pointsOf[this.tool].most ? [...this.points, this.hover] : this.points;
    return resultOf(this.tool, points) ?? resultOf(this.tool, this.points);
  }

  get canFinish(): boolean {
    return this.tool !== undefined && resultOf(this.tool, this.points) !== undefined;
  }

  get surface(): ViewSurface | undefined {
    return this.#surface;
  }

  /** The same tool again puts it away. */
  choose(tool: MeasurementKind | undefined): void {
    const same = tool === this.tool;
    this.cancel();
    this.tool = same ? undefined : tool;
  }

  /** First the points, then the tool. Returns whether there was anything to end. */
  cancel(): boolean {
    this.#turn += 1;
    const had = this.tool !== undefined;
    if (this.points.length === 0) this.tool = undefined;
    this.points = [];
    this.hover = undefined;
    this.busy = false;
    this.refusal = undefined;
    this.#surface = undefined;
    return had;
  }

  undo(): void {
    this.points = this.points.slice(0, -1);
    this.refusal = undefined;
  }

  /** Ends a chain or an area. */
  finish(): void {
    const { tool, points } = this;
    const result = tool && resultOf(tool, points);
    if (!tool || !result || !this.#surface) return;
    this.keep({ kind: tool, points, result, surface: this.#surface });
  }

  /**
   * A click or tap, in pixels from the host's left top corner. Where one has turned before what was clicked on was
   * there it counts for nothing.
   */
  async addAt(surface: ViewSurface, x: number, y: number): Promise<void> {
    const { tool } = this;
    if (!tool || (this.busy && surface === this.#asked)) return;
    // What is still waited for may be on screen no more.
    if (this.busy) this.#turn += 1;
    this.#asked = surface;
    const turn = this.#turn;
    const aim = this.#parts?.aim();
    const snapped = tool === 'DIAMETER' ? undefined : this.#snap(surface, x, y);
    this.refuse(snapped || hasDepth(surface) ? undefined : 'depthless');
    if (this.refusal) return;
    this.setBusy(true);
    try {
      if (!snapped) await surface.ready?.();
      if (turn !== this.#turn || !isSameAim(aim, this.#parts?.aim())) return;
      const pick = snapped ? undefined : await surface.pick(x, y);
      if (turn !== this.#turn) return;
      const point = snapped ?? (pick && storedOf(pick));
      if (!point) this.refuse('nothing');
      else if (tool === 'DIAMETER' && pick) await this.#measureDiameter(surface, pick, point, turn);
      else this.add(surface, point);
    } catch {
      if (turn === this.#turn) this.refuse('unreadable');
    } finally {
      if (turn === this.#turn) this.setBusy(false);
    }
  }

  /** The pointer moved; the latest place counts, a pick at a time. */
  async hoverAt(surface: ViewSurface, x: number, y: number): Promise<void> {
    if (!this.tool || this.tool === 'DIAMETER' || this.#hovering) return;
    const turn = this.#turn;
    this.#hovering = true;
    try {
      const snapped = this.#snap(surface, x, y);
      const pick = snapped ? undefined : await surface.pick(x, y);
      if (turn === this.#turn) this.setHover(snapped ?? (pick && storedOf(pick)));
    } catch {
      // What cannot be read under the pointer is said when it is clicked.
      if (turn === this.#turn) this.setHover(undefined);
    } finally {
      this.#hovering = false;
    }
  }

  leave(): void {
    this.setHover(undefined);
  }

  async #measureDiameter(surface: ViewSurface, pick: SurfacePick, point: StoredPoint, turn: number): Promise<void> {
    const eye = pick.source === 'RANGE_IMAGE' ? this.#parts?.eye() : undefined;
    const answer = await measureDiameter(pick.point, (radius) => surface.patch(pick, radius), {
      sigma: pick.sigma,
      eye,
    });
    if (turn !== this.#turn) return;
    if (answer.diameter) this.#keepDiameter(surface, point, answer.diameter);
    else this.refuse(answer.refusal);
  }

  #keepDiameter(surface: ViewSurface, point: StoredPoint, diameter: Diameter): void {
    const result = resultOf('DIAMETER', [point], diameter);
    if (result) this.keep({ kind: 'DIAMETER', points: [point], result, surface });
  }

  private add(surface: ViewSurface, point: StoredPoint): void {
    const { tool } = this;
    if (!tool) return;
    this.#surface = surface;
    this.refusal = undefined;
    this.hover = undefined;
    this.points = [...this.points, point];
    if (this.points.length >= pointsOf[tool].most) this.finish();
  }

  private setHover(point: StoredPoint | undefined): void {
    this.hover = point;
  }

  private setBusy(busy: boolean): void {
    this.busy = busy;
  }

  private refuse(reason: Measuring['refusal']): void {
    this.refusal = reason;
  }

  private keep(measured: Measured): void {
    this.points = [];
    this.hover = undefined;
    this.refusal = undefined;
    this.#parts?.onMeasured(measured);
  }

  /**
   * The nearest point in sight within reach: of the measurement at hand, of those that are kept, of the selected tag.
   */
  #snap(surface: ViewSurface, x: number, y: number): StoredPoint | undefined {
    let nearest: StoredPoint | undefined;
    let least = snapReach;
    for (const target of [...this.points.slice(0, -1), ...(this.#parts?.targets() ?? [])]) {
      const pixel = surface.pixelOf(target.point);
      const away = pixel ? Math.hypot(pixel.x - x, pixel.y - y) : Infinity;
      if (away < least && surface.sees(target.point)) [nearest, least] = [target, away];
    }
    return nearest;
  }
}
