import { action, computed, makeObservable, observableRef } from 'mobx';
import type { Point3 } from '#core';
import type { Marker, MarkerFile, MarkerShape, MarkerInput } from '#plugins/vr';

/** Minimum number of corners of an area. */
const minPoints = 3;
const maxPoints = 100;

/** The reason for which a click did not add a point. */
export type PlacingProblem = 'nothingThere' | 'failed';

/** The input of the marker form. */
export interface MarkerFields extends Pick<MarkerInput, 'kind' | 'name' | 'text'> {
  readonly target: string;
  readonly file: MarkerFile | undefined;
}

/** The observable draft of a new or edited marker, with undo of its points. */
export class MarkerDraft {
  readonly uid: string;
  /** Uid of the marker's location. */
  readonly location: string;
  readonly shape: MarkerShape;
  /** The edited marker, or undefined for a new marker. */
  readonly original: Marker | undefined;
  points: readonly Point3[];
  /** True while clicks on the picture add points. False while the form is shown. */
  isPlacing: boolean;
  /** True while the server looks up the point under a click. */
  isLookingUp = false;
  problem: PlacingProblem | undefined;
  /** The points before each change, oldest first. */
  history: readonly (readonly Point3[])[] = [];
  /** The input of the form, saved while the points are edited. */
  fields: MarkerFields | undefined;

  constructor(options: {
    readonly uid: string;
    readonly location: string;
    readonly shape: MarkerShape;
    readonly original?: Marker;
  }) {
    this.uid = options.uid;
    this.location = options.location;
    this.shape = options.shape;
    this.original = options.original;
    this.points = options.original?.points ?? [];
    this.isPlacing = options.original === undefined;
    makeObservable(this, {
      points: observableRef,
      isPlacing: observableRef,
      isLookingUp: observableRef,
      problem: observableRef,
      history: observableRef,
      isComplete: computed,
      startLookUp: action,
      setProblem: action,
      addPoint: action,
      moveCorner: action,
      previewCorner: action,
      removeCorner: action,
      undo: action,
      setPlacing: action,
    });
  }

  get isComplete(): boolean {
    return this.points.length >= (this.shape === 'POINT' ? 1 : minPoints);
  }

  startLookUp(): void {
    this.isLookingUp = true;
    this.problem = undefined;
  }

  setProblem(problem: PlacingProblem): void {
    this.isLookingUp = false;
    this.problem = problem;
  }

  /** Adds a point to an area, or replaces the single point of a point marker. */
  addPoint(point: Point3): void {
    this.isLookingUp = false;
    if (this.shape === 'POINT') this.#setPoints([point]);
    else if (this.points.length < maxPoints) this.#setPoints([...this.points, point]);
  }

  /** Moves a corner after a drag. `initial` are the points before the drag. */
  moveCorner(index: number, point: Point3, initial: readonly Point3[] = this.points): void {
    this.isLookingUp = false;
    this.history = [...this.history, initial];
    this.points = initial.with(index, point);
  }

  /** Moves a corner during a drag, without undo. */
  previewCorner(index: number, point: Point3): void {
    this.points = this.points.with(index, point);
  }

  removeCorner(index: number): void {
    this.#setPoints(this.points.filter((_, cornerIndex) => cornerIndex !== index));
  }

  undo(): void {
    this.problem = undefined;
    const previous = this.history.at(-1);
    if (!previous) return;
    this.history = this.history.slice(0, -1);
    this.points = previous;
  }

  setPlacing(placing: boolean): void {
    this.isPlacing = placing;
    this.problem = undefined;
  }

  #setPoints(points: readonly Point3[]): void {
    this.history = [...this.history, this.points];
    this.points = points;
    this.problem = undefined;
  }
}
