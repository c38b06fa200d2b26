import { action, computed, makeObservable, observableRef } from 'mobx';
import { moveWindow, wholePlan, zoomWindow, type PlanWindow } from '../../components/frame/plan-window.ts';
import { findHit, findInBox, type Hit } from './find-hit.ts';
import {
  buildPlanFrame,
  computeViewBox,
  fromDrawing,
  fromPixels,
  isWithin,
  toBox,
  toDrawing,
  type DrawingBox,
  type DrawingPoint,
  type PlanFrame,
  type Size,
  type ViewBox,
} from './plan-frame.ts';
import { movePose, turnPoseTo, type EastNorth, type Pose } from './poses.ts';
import type { ViewpointEditor } from './viewpoint-editor.ts';

/** What a drag on the free area of a plan does: move the plan, select, or add a viewpoint by a click. */
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

/** A longer way of the pointer is a drag and no click. */
const maxClickPx = 4;

/** Turns pointers on a plan into changes of its window, the selection and the poses. */
export class PlanGestures {
  window: PlanWindow = wholePlan;
  size: Size = { width: 800, height: 500 };
  box: DrawingBox | undefined = undefined;
  tool: PlanTool = 'move';
  frame: PlanFrame;
  #deck: string | undefined;
  readonly #editor: ViewpointEditor;
  readonly #onAdd: (point: EastNorth) => void;
  readonly #pointers = new Map<number, PointerSample>();
  #start: { readonly sample: PointerSample; readonly hit: Hit | undefined } | undefined;
  #gesture: Gesture | undefined;

  constructor(editor: ViewpointEditor, onAdd: (point: EastNorth) => void) {
    this.frame = buildPlanFrame(null, []);
    this.#editor = editor;
    this.#onAdd = onAdd;
    makeObservable(this, {
      window: observableRef,
      size: observableRef,
      box: observableRef,
      tool: observableRef,
      frame: observableRef,
      view: computed,
      handleOf: computed,
      follow: action,
      setSize: action,
      setTool: action,
      zoom: action,
      pan: action,
      showAll: action,
      pointerDown: action,
      pointerMove: action,
      pointerUp: action,
      cancel: action,
    });
  }

  get view(): ViewBox {
    return computeViewBox(this.frame.area, this.window, this.size);
  }

  /** A single selected viewpoint shows the handle that turns it. */
  get handleOf(): string | undefined {
    const { selected } = this.#editor;
    return selected.size === 1 ? [...selected][0] : undefined;
  }

  /** Shows the deck of the editor. The area stays the same as long as all viewpoints are in it. */
  follow(): void {
    const { deck, saved } = this.#editor;
    const plan = deck?.plan ?? null;
    const points = saved.map(({ position: [east, north] }): EastNorth => [east, north]);
    const key = JSON.stringify([deck?.uid, plan]);
    const { area } = this.frame;
    const whole = { x: 0, y: 0, width: area.width, height: area.height };
    if (key === this.#deck && points.every((point) => isWithin(whole, toDrawing(area, point)))) return;
    if (key !== this.#deck) this.window = wholePlan;
    this.#deck = key;
    this.frame = buildPlanFrame(plan, points);
  }

  setSize(size: Size): void {
    this.size = size;
  }

  setTool(tool: PlanTool): void {
    this.tool = tool;
  }

  showAll(): void {
    this.window = wholePlan;
  }

  /** Zooms by a factor around a pixel, by default the middle. */
  zoom(factor: number, { x, y }: DrawingPoint = { x: this.size.width / 2, y: this.size.height / 2 }): void {
    const { area } = this.frame;
    const point = fromPixels(this.view, { x, y });
    const { zoom, x: centreX, y: centreY } = this.window;
    const at = {
      x: 0.5 + (point.x / area.width - centreX) * zoom,
      y: 0.5 + (point.y / area.height - centreY) * zoom,
    };
    this.window = zoomWindow(this.window, factor, at);
  }

  /** Moves the window by pixels to the right and down. */
  pan(rightPx: number, downPx: number): void {
    const { area } = this.frame;
    const { unitsPerPx } = this.view;
    const { zoom } = this.window;
    this.window = moveWindow(
      this.window,
      ((rightPx * unitsPerPx) / area.width) * zoom,
      ((downPx * unitsPerPx) / area.height) * zoom,
    );
  }

  pointerDown(sample: PointerSample): void {
    this.#pointers.set(sample.id, sample);
    if (this.#pointers.size > 1) {
      // A second finger zooms. What the first one has begun is taken back.
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
        this.#editor.select(findInBox(this.box, this.frame.area, this.#editor.nodes), gesture.adds ? 'add' : 'only');
      this.box = undefined;
    } else if (gesture.kind === 'drag' || gesture.kind === 'turn') void this.#editor.save();
  }

  cancel(sample: Pick<PointerSample, 'id'>): void {
    this.#pointers.delete(sample.id);
    this.#abort();
  }

  #findHit(pixel: PointerSample): Hit | undefined {
    const { view, handleOf } = this;
    const { nodes } = this.#editor;
    const { area } = this.frame;
    const { unitsPerPx } = view;
    return findHit(fromPixels(view, pixel), { area, nodes, handleOf, unitsPerPx, isTouch: pixel.isTouch });
  }

  #toSite(pixel: DrawingPoint): EastNorth {
    return fromDrawing(this.frame.area, fromPixels(this.view, pixel));
  }

  #begin(from: PointerSample): void {
    const editor = this.#editor;
    const hit = this.#start?.hit;
    if (!hit) {
      const isBox = this.tool === 'box' || (this.tool === 'move' && from.shift);
      this.#gesture = isBox ? { kind: 'box', from: fromPixels(this.view, from), adds: from.shift } : { kind: 'pan' };
      return;
    }
    if (!editor.selected.has(hit.uid)) editor.select([hit.uid], from.shift ? 'add' : 'only');
    const poses = new Map(editor.selection.map(({ uid, position, heading }) => [uid, { position, heading }]));
    const kind = hit.part === 'handle' || from.alt ? 'turn' : 'drag';
    this.#gesture = { kind, from: this.#toSite(from), poses };
  }

  #continue(previous: PointerSample, sample: PointerSample): void {
    const gesture = this.#gesture;
    if (!gesture) return;
    if (gesture.kind === 'pan') return this.pan(previous.x - sample.x, previous.y - sample.y);
    if (gesture.kind === 'box') {
      this.box = toBox(gesture.from, fromPixels(this.view, sample));
      return;
    }
    const point = this.#toSite(sample);
    const { poses, from } = gesture;
    const by: EastNorth = [point[0] - from[0], point[1] - from[1]];
    this.#editor.setDrafts((node) => {
      const pose = poses.get(node.uid) ?? node;
      return gesture.kind === 'drag' ? movePose(pose, by) : turnPoseTo(pose, point);
    });
  }

  #pinch(previous: PointerSample, sample: PointerSample, other: PointerSample): void {
    const before = Math.hypot(previous.x - other.x, previous.y - other.y);
    const after = Math.hypot(sample.x - other.x, sample.y - other.y);
    this.zoom(after / Math.max(1, before), other);
    this.pan((previous.x - sample.x) / 2, (previous.y - sample.y) / 2);
  }

  #click(sample: PointerSample, hit: Hit | undefined): void {
    if (this.tool === 'add') return this.#onAdd(this.#toSite(sample));
    if (hit) this.#editor.select([hit.uid], sample.shift ? 'toggle' : 'only');
    else if (!sample.shift) this.#editor.select([]);
  }

  /** Takes back a gesture that has begun. */
  #abort(): void {
    const gesture = this.#gesture;
    this.#start = this.#gesture = undefined;
    this.box = undefined;
    if (gesture?.kind === 'drag' || gesture?.kind === 'turn')
      this.#editor.setDrafts((node) => gesture.poses.get(node.uid) ?? node, new Set(gesture.poses.keys()));
  }
}
