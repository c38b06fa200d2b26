import { action, computed, makeObservable, observableRef } from 'mobx';
import { findHit, findInBox, type Hit } from './find-hit.ts';
import { fromPixels, toBox, type DrawingBox, type DrawingPoint } from './plan-frame.ts';
import type { PlanView } from './plan-view.ts';
import { movePose, turnPoseTo, type EastNorth, type Pose } from './poses.ts';
import type { ViewpointEditor } from './viewpoint-editor.ts';

/** Tools of the pointer on a free area of the plan: pan, select in a box, or add a viewpoint by a click. */
export const planTools = ['move', 'box', 'add'] as const;
export type PlanTool = (typeof planTools)[number];

/** A pointer in pixels of the plan's element. */
export interface PointerSample extends DrawingPoint {
  readonly id: number;
  readonly isTouch: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

type Gesture =
  | { readonly kind: 'pan' }
  | { readonly kind: 'box'; readonly from: DrawingPoint; readonly adds: boolean }
  | { readonly kind: 'drag' | 'turn'; readonly from: EastNorth; readonly poses: ReadonlyMap<string, Pose> };

/** A longer movement of the pointer is a drag, not a click. */
const maxClickPx = 4;

/** Converts pointer events on a plan to changes of its view, the selection and the poses. */
export class PlanGestures {
  box: DrawingBox | undefined = undefined;
  tool: PlanTool = 'move';
  readonly #view: PlanView;
  readonly #editor: ViewpointEditor;
  readonly #onAdd: (point: EastNorth) => void;
  readonly #pointers = new Map<number, PointerSample>();
  #start: { readonly sample: PointerSample; readonly hit: Hit | undefined } | undefined;
  #gesture: Gesture | undefined;

  constructor(view: PlanView, editor: ViewpointEditor, onAdd: (point: EastNorth) => void) {
    this.#view = view;
    this.#editor = editor;
    this.#onAdd = onAdd;
    makeObservable(this, {
      box: observableRef,
      tool: observableRef,
      handleOf: computed,
      setTool: action,
      pointerDown: action,
      pointerMove: action,
      pointerUp: action,
      cancel: action,
      abort: action,
    });
  }

  /** Uid of the viewpoint that shows a handle: the only selected one. */
  get handleOf(): string | undefined {
    const { selected } = this.#editor;
    return selected.size === 1 ? [...selected][0] : undefined;
  }

  setTool(tool: PlanTool): void {
    this.tool = tool;
  }

  pointerDown(sample: PointerSample): void {
    this.#pointers.set(sample.id, sample);
    if (this.#pointers.size > 1) {
      // A second finger zooms. The gesture of the first finger is undone.
      this.#abort();
      return;
    }
    this.#gesture = undefined;
    this.#start = { sample, hit: this.tool === 'add' ? undefined : this.#findHit(sample) };
  }

  pointerMove(sample: PointerSample): void {
    const previous = this.#pointers.get(sample.id);
    if (!previous) return;
    this.#pointers.set(sample.id, sample);
    const other = [...this.#pointers.values()].find(({ id }) => id !== sample.id);
    if (other) return this.#pinch(previous, sample, other);
    const from = this.#start?.sample;
    if (!from) return;
    if (!this.#gesture && Math.hypot(sample.x - from.x, sample.y - from.y) > maxClickPx) this.#begin(from);
    this.#continue(previous, sample);
  }

  pointerUp(sample: PointerSample): void {
    this.#pointers.delete(sample.id);
    const start = this.#start;
    const gesture = this.#gesture;
    this.#start = this.#gesture = undefined;
    if (!start) return;
    if (!gesture) return this.#click(start.sample, start.hit);
    if (gesture.kind === 'box') {
      if (this.box)
        this.#editor.select(
          findInBox(this.box, this.#view.frame.area, this.#editor.nodes),
          gesture.adds ? 'add' : 'only',
        );
      this.box = undefined;
    } else if (gesture.kind === 'drag' || gesture.kind === 'turn') this.#editor.autoSave();
  }

  cancel(sample: Pick<PointerSample, 'id'>): void {
    this.#pointers.delete(sample.id);
    this.#abort();
  }

  /** Undoes the running gesture, and ignores its pointer until the next press. Returns false if there is none. */
  abort(): boolean {
    if (!this.#gesture) return false;
    this.#abort();
    return true;
  }

  #findHit(pixel: PointerSample): Hit | undefined {
    const { box, frame } = this.#view;
    const { nodes } = this.#editor;
    const { unitsPerPx } = box;
    const options = { area: frame.area, nodes, handleOf: this.handleOf, unitsPerPx, isTouch: pixel.isTouch };
    return findHit(fromPixels(box, pixel), options);
  }

  #begin(from: PointerSample): void {
    const editor = this.#editor;
    const hit = this.#start?.hit;
    if (!hit) {
      const isBox = this.tool === 'box' || (this.tool === 'move' && from.shift);
      this.#gesture = isBox
        ? { kind: 'box', from: fromPixels(this.#view.box, from), adds: from.shift }
        : { kind: 'pan' };
      return;
    }
    if (!editor.selected.has(hit.uid)) editor.select([hit.uid], from.shift ? 'add' : 'only');
    const poses = new Map(editor.selection.map(({ uid, position, heading }) => [uid, { position, heading }]));
    const kind = hit.part === 'handle' || from.alt ? 'turn' : 'drag';
    this.#gesture = { kind, from: this.#view.toSite(from), poses };
  }

  #continue(previous: PointerSample, sample: PointerSample): void {
    const gesture = this.#gesture;
    if (!gesture) return;
    if (gesture.kind === 'pan') return this.#view.pan(previous.x - sample.x, previous.y - sample.y);
    if (gesture.kind === 'box') {
      this.box = toBox(gesture.from, fromPixels(this.#view.box, sample));
      return;
    }
    const point = this.#view.toSite(sample);
    const { poses, from } = gesture;
    const shift: EastNorth = [point[0] - from[0], point[1] - from[1]];
    this.#editor.setDrafts((node) => {
      const pose = poses.get(node.uid) ?? node;
      return gesture.kind === 'drag' ? movePose(pose, shift) : turnPoseTo(pose, point);
    });
  }

  #pinch(previous: PointerSample, sample: PointerSample, other: PointerSample): void {
    const before = Math.hypot(previous.x - other.x, previous.y - other.y);
    const after = Math.hypot(sample.x - other.x, sample.y - other.y);
    this.#view.zoom(after / Math.max(1, before), other);
    this.#view.pan((previous.x - sample.x) / 2, (previous.y - sample.y) / 2);
  }

  #click(sample: PointerSample, hit: Hit | undefined): void {
    if (this.tool === 'add') return this.#onAdd(this.#view.toSite(sample));
    if (hit) this.#editor.select([hit.uid], sample.shift ? 'toggle' : 'only');
    else if (!sample.shift) this.#editor.select([]);
  }

  /** Undoes the changes of the running gesture. */
  #abort(): void {
    const gesture = this.#gesture;
    this.#start = this.#gesture = undefined;
    this.box = undefined;
    if (gesture?.kind === 'drag' || gesture?.kind === 'turn')
      this.#editor.setDrafts((node) => gesture.poses.get(node.uid) ?? node, new Set(gesture.poses.keys()));
  }
}
