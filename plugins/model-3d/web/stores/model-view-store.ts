import { injectable } from 'inversify';
import { action, computed, makeObservable, observableRef } from 'mobx';
import type { WalkMode } from '#plugins/tour';
import type { Appearance3d, ModelEngine, Section } from '../viewer/engine-types.ts';
import type { Box, ModelObject } from '../viewer/model-content.ts';
import { ObjectTree } from './object-tree.ts';

/**
 * View state of the models, and the engine that renders it while the module is on screen. Observable. Tools and panels
 * act through it.
 */
@injectable()
export class ModelViewStore implements Appearance3d {
  engine: ModelEngine | undefined;
  tree = new ObjectTree([]);
  /** Bounds of all loaded models, site frame. */
  bounds: Box | undefined;
  mode: WalkMode = 'walk';
  chosen: readonly number[] = [];
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
      chosen: observableRef,
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

  get selected(): readonly number[] {
    return [...new Set(this.chosen.flatMap((id) => this.tree.below(id)))];
  }

  /** The object selected last. */
  get object(): ModelObject | undefined {
    const last = this.chosen.at(-1);
    return last === undefined ? undefined : this.tree.objects[last];
  }

  setEngine(engine: ModelEngine | undefined): void {
    this.engine = engine;
    engine?.setMode(this.mode);
  }

  /** Sets a new model and resets selection, hidden objects and section. */
  setObjects(objects: readonly ModelObject[], bounds: Box | undefined): void {
    this.tree = new ObjectTree(objects);
    this.bounds = bounds;
    this.chosen = [];
    this.hidden = new Set();
    this.xray = false;
    this.section = undefined;
  }

  /** Replaces the objects after their links changed. */
  updateObjects(objects: readonly ModelObject[]): void {
    this.tree = new ObjectTree(objects);
  }

  setMode(mode: WalkMode): void {
    this.mode = mode;
    this.engine?.setMode(mode);
  }

  /** Hides the objects with all below them. */
  select(ids: readonly number[]): void {
    this.chosen = ids;
  }

  hide(id: number, hidden: boolean): void {
    const next = new Set(this.hidden);
    for (const each of this.tree.below(id)) {
      if (hidden) next.add(each);
      else next.delete(each);
    }
    // Shows the ancestors too, because a shown object must not be below a hidden one.
    if (!hidden) for (const above of this.tree.pathTo(id)) next.delete(above);
    this.hidden = next;
  }

  /** Shows only these objects, with all below them. */
  isolate(ids: readonly number[]): void {
    const kept = new Set(ids.flatMap((id) => [...this.tree.below(id), ...this.tree.pathTo(id)]));
    this.hidden = new Set(this.tree.objects.flatMap(({ id }) => (kept.has(id) ? [] : [id])));
  }

  showAll(): void {
    this.hidden = new Set();
  }

  setHidden(ids: ReadonlySet<number>): void {
    this.hidden = ids;
  }

  setXray(on: boolean): void {
    this.xray = on;
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
