import { injectable } from 'inversify';
import { action, computed, makeObservable, observableRef } from 'mobx';
import type { CameraMode } from '#plugins/tour';
import type { Appearance3d, ModelEngine, Section } from '../viewer/engine-types.ts';
import type { Box, ModelObject } from '../viewer/model-content.ts';
import { ObjectTree } from './object-tree.ts';

/**
 * Observable view state of the models, with the engine that renders it while the module is on screen. Tools and panels
 * change the view by it.
 */
@injectable()
export class ModelViewStore implements Appearance3d {
  engine: ModelEngine | undefined;
  tree = new ObjectTree([]);
  /** Bounds of all loaded models in the site frame. */
  bounds: Box | undefined;
  mode: CameraMode = 'walk';
  selectedRoots: readonly number[] = [];
  /** The approached tag of the tour that was fitted into the view, so that it is not fitted again. */
  fittedTag: object | undefined;
  /** The part that was clicked, or the object from which the selection went up. `selectChild` goes towards it. */
  #origin: number | undefined;
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
      object: computed,
      setEngine: action,
      setObjects: action,
      updateObjects: action,
      setMode: action,
      select: action,
      selectParent: action,
      selectChild: action,
      hide: action,
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
  get object(): ModelObject | undefined {
    const last = this.selectedRoots.at(-1);
    return last === undefined ? undefined : this.tree.objects[last];
  }

  setEngine(engine: ModelEngine | undefined): void {
    this.engine = engine;
    engine?.setMode(this.mode);
  }

  /** Sets the objects of other models, and resets selection, hidden objects, x-ray and section. */
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

  /** `part` is what was clicked of the last object. */
  select(ids: readonly number[], part = ids.at(-1)): void {
    this.selectedRoots = ids;
    this.#origin = part;
  }

  selectParent(): void {
    const parent = this.object && this.tree.findParent(this.object.id);
    if (parent !== undefined) this.selectedRoots = [parent];
  }

  /** Selects the child towards the clicked part or towards the object from which the selection went up, or the first. */
  selectChild(): void {
    const children = this.object ? this.tree.listRowChildren(this.object.id) : [];
    const path = this.#origin === undefined ? [] : this.tree.getPath(this.#origin);
    const child = children.find((id) => path.includes(id));
    if (child !== undefined) this.selectedRoots = [child];
    else if (children[0] !== undefined) this.select([children[0]]);
  }

  /** Hides or shows an object with all objects below it. */
  hide(id: number, hidden: boolean): void {
    const next = new Set(this.hidden);
    for (const objectId of this.tree.getSubtree(id)) {
      if (hidden) next.add(objectId);
      else next.delete(objectId);
    }
    // Shows the ancestors too, because a visible object must not be below a hidden object.
    if (!hidden) for (const ancestor of this.tree.getPath(id)) next.delete(ancestor);
    this.hidden = next;
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
