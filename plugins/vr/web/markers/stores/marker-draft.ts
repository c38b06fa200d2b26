import { action, computed, makeObservable, observableRef } from 'mobx';
import type { Point3 } from '#core';
import type { Marker, MarkerFile, MarkerShape, WrittenMarker } from '#plugins/vr';

/** Corners that an area needs. */
const minPoints = 3;
const most = 100;

/** Why a press did not become a point. */
export type PlacingProblem = 'nothingThere' | 'failed';

/** What is filled in about a marker. */
export interface MarkerWords extends Pick<WrittenMarker, 'kind' | 'name' | 'text'> {
  readonly target: string;
  readonly file: MarkerFile | undefined;
}

/** A marker that is being placed: its points, with steps back. Observable. */
export class MarkerDraft {
  readonly uid: string;
  /** uid of the location that it belongs to. */
  readonly location: string;
  readonly shape: MarkerShape;
  /** What is changed; undefined for a new one. */
  readonly before: Marker | undefined;
  points: readonly Point3[];
  /** Presses on the picture become points. Otherwise what it says is filled in. */
  placing: boolean;
  /** The server is asked what stands where was pressed. */
  looking = false;
  problem: PlacingProblem | undefined;
  past: readonly (readonly Point3[])[] = [];
  /** What was filled in before the points were gone back to. */
  words: MarkerWords | undefined;

  constructor(start: {
    readonly uid: string;
    readonly location: string;
    readonly shape: MarkerShape;
    readonly before?: Marker;
  }) {
    this.uid = start.uid;
    this.location = start.location;
    this.shape = start.shape;
    this.before = start.before;
    this.points = start.before?.points ?? [];
    this.placing = start.before === undefined;
    makeObservable(this, {
      points: observableRef,
      placing: observableRef,
      looking: observableRef,
      problem: observableRef,
      past: observableRef,
      complete: computed,
      look: action,
      refuse: action,
      add: action,
      move: action,
      preview: action,
      removeCorner: action,
      undo: action,
      setPlacing: action,
    });
  }

  get complete(): boolean {
    return this.points.length >= (this.shape === 'POINT' ? 1 : minPoints);
  }

  look(): void {
    this.looking = true;
    this.problem = undefined;
  }

  refuse(problem: PlacingProblem): void {
    this.looking = false;
    this.problem = problem;
  }

  /** A point marker has one point: another press moves it. */
  add(point: Point3): void {
    this.looking = false;
    if (this.shape === 'POINT') this.#set([point]);
    else if (this.points.length < most) this.#set([...this.points, point]);
  }

  /** To where a corner was dragged; `from` is where it was before the drag. */
  move(index: number, point: Point3, from: readonly Point3[] = this.points): void {
    this.looking = false;
    this.past = [...this.past, from];
    this.points = from.map((old, at) => (at === index ? point : old));
  }

  /** While it is dragged. */
  preview(index: number, point: Point3): void {
    this.points = this.points.map((old, at) => (at === index ? point : old));
  }

  removeCorner(index: number): void {
    this.#set(this.points.filter((_, at) => at !== index));
  }

  undo(): void {
    this.problem = undefined;
    const before = this.past.at(-1);
    if (!before) return;
    this.past = this.past.slice(0, -1);
    this.points = before;
  }

  setPlacing(placing: boolean): void {
    this.placing = placing;
    this.problem = undefined;
  }

  #set(points: readonly Point3[]): void {
    this.past = [...this.past, this.points];
    this.points = points;
    this.problem = undefined;
  }
}
