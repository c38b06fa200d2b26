import { action, computed, makeObservable, observableRef } from 'mobx';
import { findHit, findNodesInBox, type Hit } from './find-hit.ts';
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
  | { readonly kind: 'box'; readonly from: DrawingPoint; readonly addsToSelection: boolean }
  | { readonly kind: 'drag' | 'turn'; readonly from: EastNorth; readonly poses: ReadonlyMap<string, Pose> };

/** A longer movement of the pointer is a drag, not a click. */
const maxClickMovePx = 4;

/** Converts pointer events on a plan to changes of its view, the selection and the poses. */
export class PlanGestures {
  selectionBox: DrawingBox | undefined = undefined;
  tool: PlanTool = 'move';
  readonly #view: PlanView;
  readonly #editor: ViewpointEditor;
  readonly #onAdd: (point: EastNorth) => void;
  readonly #pointers = new Map<number, PointerSample>();
  #press: { readonly sample: PointerSample; readonly hit: Hit | undefined } | undefined;
  #gesture: Gesture | undefined;

  constructor(view: PlanView, editor: ViewpointEditor, onAdd: (point: EastNorth) => void) {
    this.#view = view;
    this.#editor = editor;
    this.#onAdd = onAdd;
    makeObservable(this, {
      selectionBox: observableRef,
      tool: observableRef,
      handleNodeUid: computed,
      setTool: action,
      pointerDown: action,
      pointerMove: action,
      pointerUp: action,
      cancel: action,
      abort: action,
    });
  }

  /** Uid of the viewpoint that shows a handle: the selected one, if only one is selected. */
  get handleNodeUid(): string | undefined {
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
      this.#undoGesture();
      return;
    }
    this.#gesture = undefined;
    this.#press = { sample, hit: this.tool === 'add' ? undefined : this.#findHit(sample) };
  }

  pointerMove(sample: PointerSample): void {
    const previous = this.#pointers.get(sample.id);
    if (!previous) return;
    this.#pointers.set(sample.id, sample);
    const otherPointer = [...this.#pointers.values()].find(({ id }) => id !== sample.id);
    if (otherPointer) return this.#pinch(previous, sample, otherPointer);
    const from = this.#press?.sample;
    if (!from) return;
    if (!this.#gesture && Math.hypot(sample.x - from.x, sample.y - from.y) > maxClickMovePx) this.#startGesture(from);
    this.#continueGesture(previous, sample);
  }

  pointerUp(sample: PointerSample): void {
    this.#pointers.delete(sample.id);
    const press = this.#press;
    const gesture = this.#gesture;
    this.#press = this.#gesture = undefined;
    if (!press) return;
    if (!gesture) return this.#click(press.sample, press.hit);
    if (gesture.kind === 'box') {
      if (this.selectionBox)
        this.#editor.select(
          findNodesInBox(this.selectionBox, this.#view.frame.area, this.#editor.nodes),
          gesture.addsToSelection ? 'add' : 'only',
        );
      this.selectionBox = undefined;
    } else if (gesture.kind === 'drag' || gesture.kind === 'turn') this.#editor.autoSave();
  }

  cancel(sample: Pick<PointerSample, 'id'>): void {
    this.#pointers.delete(sample.id);
    this.#undoGesture();
  }

  /** Undoes the running gesture, and ignores its pointer until the next press. Returns false if there is none. */
  abort(): boolean {
    if (!this.#gesture) return false;
    this.#undoGesture();
    return true;
  }

  #findHit(pixel: PointerSample): Hit | undefined {
    const { viewBox, frame } = this.#view;
    const { nodes } = this.#editor;
    const { unitsPerPx } = viewBox;
    const options = { area: frame.area, nodes, handleNodeUid: this.handleNodeUid, unitsPerPx, isTouch: pixel.isTouch };
    return findHit(fromPixels(viewBox, pixel), options);
  }

  #startGesture(from: PointerSample): void {
    const editor = this.#editor;
    const hit = this.#press?.hit;
    if (!hit) {
      const isBox = this.tool === 'box' || (this.tool === 'move' && from.shift);
      this.#gesture = isBox
        ? { kind: 'box', from: fromPixels(this.#view.viewBox, from), addsToSelection: from.shift }
        : { kind: 'pan' };
      return;
    }
    if (!editor.selected.has(hit.uid)) editor.select([hit.uid], from.shift ? 'add' : 'only');
    const poses = new Map(editor.selection.map(({ uid, position, heading }) => [uid, { position, heading }]));
    const kind = hit.part === 'handle' || from.alt ? 'turn' : 'drag';
    this.#gesture = { kind, from: this.#view.toSite(from), poses };
  }

  #continueGesture(previous: PointerSample, sample: PointerSample): void {
    const gesture = this.#gesture;
    if (!gesture) return;
    if (gesture.kind === 'pan') return this.#view.pan(previous.x - sample.x, previous.y - sample.y);
    if (gesture.kind === 'box') {
      this.selectionBox = toBox(gesture.from, fromPixels(this.#view.viewBox, sample));
      return;
    }
    const point = this.#view.toSite(sample);
    const { poses, from } = gesture;
    const movement: EastNorth = [point[0] - from[0], point[1] - from[1]];
    this.#editor.setDrafts((node) => {
      const pose = poses.get(node.uid) ?? node;
      return gesture.kind === 'drag' ? movePose(pose, movement) : turnPoseTo(pose, point);
    });
  }

  #pinch(previous: PointerSample, sample: PointerSample, other: PointerSample): void {
    const distanceBefore = Math.hypot(previous.x - other.x, previous.y - other.y);
    const distanceAfter = Math.hypot(sample.x - other.x, sample.y - other.y);
    this.#view.zoom(distanceAfter / Math.max(1, distanceBefore), other);
    this.#view.pan((previous.x - sample.x) / 2, (previous.y - sample.y) / 2);
  }

  #click(sample: PointerSample, hit: Hit | undefined): void {
    if (this.tool === 'add') return this.#onAdd(this.#view.toSite(sample));
    if (hit) this.#editor.select([hit.uid], sample.shift ? 'toggle' : 'only');
    else if (!sample.shift) this.#editor.select([]);
  }

  /** Undoes the changes of the running gesture. */
  #undoGesture(): void {
    const gesture = this.#gesture;
    this.#press = this.#gesture = undefined;
    this.selectionBox = undefined;
    if (gesture?.kind === 'drag' || gesture?.kind === 'turn')
      this.#editor.setDrafts((node) => gesture.poses.get(node.uid) ?? node, new Set(gesture.poses.keys()));
  }
}
