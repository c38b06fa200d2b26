import { action, computed, makeObservable, observableRef } from 'mobx';
import { isSimplePolygon, minCorners } from '#core';
import type { Corner, LocationPictures, NavigationArea } from '../../../contract/index.ts';
import { maxCorners } from '../../../contract/picture-kinds.ts';

/** An area whose outline is not closed yet. */
export interface AreaDrawing {
  readonly location: string;
  readonly corners: readonly Corner[];
}

/** The reason why an outline cannot be closed. */
export type ClosingProblem = 'few' | 'crossing';

const fractionDigits = 4;

/** The areas of a navigation image as an admin edits them. They stay until they are saved or discarded. */
export class AreasDraft {
  areas: readonly NavigationArea[];
  drawing: AreaDrawing | undefined = undefined;
  /** The location whose corners can be moved. */
  editedLocation: string | undefined = undefined;
  problem: ClosingProblem | undefined = undefined;
  version: number;
  #saved: readonly NavigationArea[];

  constructor({ areas, version }: LocationPictures) {
    this.areas = areas;
    this.#saved = areas;
    this.version = version;
    makeObservable<this, 'setEditedCorners'>(this, {
      areas: observableRef,
      drawing: observableRef,
      editedLocation: observableRef,
      problem: observableRef,
      version: observableRef,
      changed: computed,
      crossingLocations: computed,
      adoptLoaded: action,
      reset: action,
      startDrawing: action,
      addCorner: action,
      removeLastCorner: action,
      cancelDrawing: action,
      closeOutline: action,
      edit: action,
      moveCorner: action,
      insertCorner: action,
      deleteCorner: action,
      removeArea: action,
      setEditedCorners: action,
    });
  }

  get changed(): boolean {
    return this.drawing !== undefined || !areEqual(this.areas, this.#saved);
  }

  /** Locations whose outline crosses itself. */
  get crossingLocations(): ReadonlySet<string> {
    return new Set(this.areas.filter(({ polygon }) => !isSimplePolygon(polygon)).map(({ location }) => location));
  }

  /** Adopts loaded pictures. Returns false if they would replace unsaved changes by areas of another person. */
  adoptLoaded(pictures: LocationPictures): boolean {
    if (!areEqual(pictures.areas, this.#saved) && this.changed) return false;
    if (!areEqual(pictures.areas, this.#saved)) this.reset(pictures);
    this.version = pictures.version;
    return true;
  }

  /** Replaces the draft by the saved areas. */
  reset({ areas, version }: LocationPictures): void {
    this.areas = areas;
    this.#saved = areas;
    this.version = version;
    this.drawing = undefined;
    this.problem = undefined;
    if (!areas.some(({ location }) => location === this.editedLocation)) this.editedLocation = undefined;
  }

  startDrawing(location: string): void {
    this.drawing = { location, corners: [] };
    this.editedLocation = undefined;
    this.problem = undefined;
  }

  addCorner(corner: Corner): void {
    if (!this.drawing || this.drawing.corners.length >= maxCorners) return;
    this.problem = undefined;
    this.drawing = { ...this.drawing, corners: [...this.drawing.corners, toStorable(corner)] };
  }

  /** Cancels the drawing if there is no corner. */
  removeLastCorner(): void {
    this.problem = undefined;
    this.drawing =
      this.drawing && this.drawing.corners.length > 0
        ? { ...this.drawing, corners: this.drawing.corners.slice(0, -1) }
        : undefined;
  }

  cancelDrawing(): void {
    this.drawing = undefined;
    this.problem = undefined;
  }

  /** Turns the drawing into an area. Returns false, and sets `problem`, if the outline cannot be closed. */
  closeOutline(): boolean {
    if (!this.drawing) return false;
    const { location, corners } = this.drawing;
    if (!isSimplePolygon(corners)) {
      this.problem = corners.length < minCorners ? 'few' : 'crossing';
      return false;
    }
    this.areas = [...this.areas, { location, polygon: [...corners] }];
    this.drawing = undefined;
    this.editedLocation = location;
    return true;
  }

  edit(location: string | undefined): void {
    this.editedLocation = location;
  }

  /** Moves a corner of the edited area. */
  moveCorner(index: number, corner: Corner): void {
    this.setEditedCorners((corners) =>
      corners.map((currentCorner, at) => (at === index ? toStorable(corner) : currentCorner)),
    );
  }

  /** Inserts a corner into the edited area at `index`. False if the area already has the maximum number of corners. */
  insertCorner(index: number, corner: Corner): boolean {
    const editedArea = this.areas.find(({ location }) => location === this.editedLocation);
    if (!editedArea || editedArea.polygon.length >= maxCorners) return false;
    this.setEditedCorners((corners) => corners.toSpliced(index, 0, toStorable(corner)));
    return true;
  }

  /** Does nothing if the area has only three corners. */
  deleteCorner(index: number): void {
    this.setEditedCorners((corners) =>
      corners.length <= minCorners ? corners : corners.filter((_, at) => at !== index),
    );
  }

  removeArea(location: string): void {
    this.areas = this.areas.filter((area) => area.location !== location);
    if (this.editedLocation === location) this.editedLocation = undefined;
  }

  private setEditedCorners(change: (corners: readonly Corner[]) => readonly Corner[]): void {
    this.areas = this.areas.map((area) =>
      area.location === this.editedLocation ? { ...area, polygon: [...change(area.polygon)] } : area,
    );
  }
}

const areEqual = (areas: readonly NavigationArea[], otherAreas: readonly NavigationArea[]): boolean =>
  JSON.stringify(areas.map(({ location, polygon }) => [location, polygon])) ===
  JSON.stringify(otherAreas.map(({ location, polygon }) => [location, polygon]));

const toStorable = ([x, y]: Corner): Corner => [toFraction(x), toFraction(y)];
const toFraction = (value: number): number => Number(Math.min(1, Math.max(0, value)).toFixed(fractionDigits));
