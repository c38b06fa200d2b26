import { action, computed, makeObservable, observableRef } from 'mobx';
import type { Point3 } from '#core';
import type { Marker, MarkerFile, MarkerShape, WrittenMarker } from '#plugins/vr';

/** Minimum number of corners of an area. */
const minPoints = 3;
const maxPoints = 100;

/** Why a click did not add a point. */
export type PlacingProblem = 'nothingThere' | 'failed';

/** The input of the marker form. */
export interface MarkerFields extends Pick<WrittenMarker, 'kind' | 'name' | 'text'> {
  readonly target: string;
  readonly file: MarkerFile | undefined;
}

/** A marker that is being placed, with undo of its points. Observable. */
export class MarkerDraft {
  readonly uid: string;
  /** uid of the marker's location. */
  readonly location: string;
  readonly shape: MarkerShape;
  /** The edited marker; undefined for a new one. */
  readonly before: Marker | undefined;
  points: readonly Point3[];
  /** True while clicks on the picture add points. False while the form is shown. */
  placing: boolean;
  /** True while the server looks up the point under a click. */
  lookingUp = false;
  problem: PlacingProblem | undefined;
  past: readonly (readonly Point3[])[] = [];
  /** The form input, kept while the points are edited. */
  fields: MarkerFields | undefined;

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
      lookingUp: observableRef,
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
    this.lookingUp = true;
    this.problem = undefined;
  }

  refuse(problem: PlacingProblem): void {
    this.lookingUp = false;
    this.problem = problem;
  }

  /** A point marker has one point: another click moves it. */
  add(point: Point3): void {
    this.lookingUp = false;
    if (this.shape === 'POINT') this.#set([point]);
    else if (this.points.length < maxPoints) this.#set([...this.points, point]);
  }

  /** Moves a corner at the end of a drag; `from` are the points before the drag. */
  move(index: number, point: Point3, from: readonly Point3[] = this.points): void {
    this.lookingUp = false;
    this.past = [...this.past, from];
    this.points = from.map((old, at) => (at === index ? point : old));
  }

  /** Moves a corner during a drag, without undo. */
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
