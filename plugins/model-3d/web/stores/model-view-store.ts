import { injectable } from 'inversify';
import { action, computed, makeObservable, observableRef } from 'mobx';
import type { CameraMode } from '#plugins/tour';
import type { Appearance3d, ModelEngine, Section } from '../viewer/engine-types.ts';
import type { Box, ModelObject } from '../viewer/model-content.ts';
import { ObjectTree } from './object-tree.ts';

/**
 * Observable view state of the models, which tools and panels change. Has the engine while the module is on screen.
 */
@injectable()
export class ModelViewStore implements Appearance3d {
  engine: ModelEngine | undefined;
  tree = new ObjectTree([]);
  /** Bounds of all loaded models in the site frame. */
  bounds: Box | undefined;
  mode: CameraMode = 'walk';
  selectedRoots: readonly number[] = [];
  /** The last tag that was fitted into the view after the tour went to it, so that it is not fitted again. */
  fittedTag: object | undefined;
  /** The clicked part, or the object from which `selectParent` started. `selectChild` goes down towards it. */
  #descentTarget: number | undefined;
  hidden: ReadonlySet<number> = new Set();
  xray = false;
  section: Section | undefined;
  treeOpen = false;
  sectionOpen = false;

  constructor() {
    makeObservable<this>(this, {
      engine: observableRef,
      tree: observableRef,
      bounds: observableRef,
      mode: observableRef,
      selectedRoots: observableRef,
      hidden: observableRef,
      xray: observableRef,
      section: observableRef,
      treeOpen: observableRef,
      sectionOpen: observableRef,
      selected: computed,
      selectedObject: computed,
      setEngine: action,
      setObjects: action,
      updateObjects: action,
      setMode: action,
      select: action,
      selectParent: action,
      selectChild: action,
      setSubtreeHidden: action,
      isolate: action,
      showAll: action,
      setHidden: action,
      setXray: action,
      setSection: action,
      setTreeOpen: action,
      setSectionOpen: action,
    });
  }

  /** The selected objects with all objects below them. */
  get selected(): readonly number[] {
    return [...new Set(this.selectedRoots.flatMap((id) => this.tree.getSubtree(id)))];
  }

  /** The object that was selected last. */
  get selectedObject(): ModelObject | undefined {
    const lastRoot = this.selectedRoots.at(-1);
    return lastRoot === undefined ? undefined : this.tree.objects[lastRoot];
  }

  setEngine(engine: ModelEngine | undefined): void {
    this.engine = engine;
    engine?.setMode(this.mode);
  }

  /** Replaces the objects after models were loaded. Resets selection, hidden objects, x-ray mode and section. */
  setObjects(objects: readonly ModelObject[], bounds: Box | undefined): void {
    this.tree = new ObjectTree(objects);
    this.bounds = bounds;
    this.selectedRoots = [];
    this.hidden = new Set();
    this.xray = false;
    this.section = undefined;
  }

  /** Replaces the objects after their links changed. */
  updateObjects(objects: readonly ModelObject[]): void {
    this.tree = new ObjectTree(objects);
  }

  setMode(mode: CameraMode): void {
    this.mode = mode;
    this.engine?.setMode(mode);
  }

  /** `part` is the clicked part of the last object. */
  select(ids: readonly number[], part = ids.at(-1)): void {
    this.selectedRoots = ids;
    this.#descentTarget = part;
  }

  selectParent(): void {
    const parent = this.selectedObject && this.tree.findParent(this.selectedObject.id);
    if (parent !== undefined) this.selectedRoots = [parent];
  }

  /** Selects the child on the path to the clicked part or to the start of `selectParent`, or else the first child. */
  selectChild(): void {
    const children = this.selectedObject ? this.tree.listRowChildren(this.selectedObject.id) : [];
    const path = this.#descentTarget === undefined ? [] : this.tree.getPath(this.#descentTarget);
    const child = children.find((id) => path.includes(id));
    if (child !== undefined) this.selectedRoots = [child];
    else if (children[0] !== undefined) this.select([children[0]]);
  }

  /** Hides or shows an object with all objects below it. */
  setSubtreeHidden(id: number, hidden: boolean): void {
    const nextHidden = new Set(this.hidden);
    for (const objectId of this.tree.getSubtree(id)) {
      if (hidden) nextHidden.add(objectId);
      else nextHidden.delete(objectId);
    }
    // Shows the ancestors too, because a visible object must not be below a hidden object.
    if (!hidden) for (const ancestor of this.tree.getPath(id)) nextHidden.delete(ancestor);
    this.hidden = nextHidden;
  }

  /** Hides all objects except some, the objects below these and their ancestors. */
  isolate(ids: readonly number[]): void {
    const visible = new Set(ids.flatMap((id) => [...this.tree.getSubtree(id), ...this.tree.getPath(id)]));
    this.hidden = new Set(this.tree.objects.flatMap(({ id }) => (visible.has(id) ? [] : [id])));
  }

  showAll(): void {
    this.hidden = new Set();
  }

  setHidden(ids: ReadonlySet<number>): void {
    this.hidden = ids;
  }

  setXray(xray: boolean): void {
    this.xray = xray;
  }

  setSection(section: Section | undefined): void {
    this.section = section;
  }

  setTreeOpen(open: boolean): void {
    this.treeOpen = open;
  }

  setSectionOpen(open: boolean): void {
    this.sectionOpen = open;
  }
}
