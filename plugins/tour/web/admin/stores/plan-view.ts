import { action, computed, makeObservable, observableRef } from 'mobx';
import { moveWindow, wholePicture, zoomWindow, type PictureWindow } from '#core/ui';
import {
  buildPlanFrame,
  computeViewBox,
  fromDrawing,
  fromPixels,
  isWithin,
  toDrawing,
  type DrawingPoint,
  type PlanFrame,
  type Size,
  type ViewBox,
} from './plan-frame.ts';
import type { EastNorth } from './poses.ts';
import type { ViewpointEditor } from './viewpoint-editor.ts';

/** The visible part of the drawing of a deck in an element. */
export class PlanView {
  frame: PlanFrame = buildPlanFrame(null, []);
  window: PictureWindow = wholePicture;
  /** Size of the element, pixels. */
  size: Size = { width: 800, height: 500 };
  #shownKey: string | undefined;

  constructor() {
    makeObservable(this, {
      frame: observableRef,
      window: observableRef,
      size: observableRef,
      viewBox: computed,
      show: action,
      setSize: action,
      zoom: action,
      pan: action,
      showAll: action,
    });
  }

  get viewBox(): ViewBox {
    return computeViewBox(this.frame.area, this.window, this.size);
  }

  /** Shows the deck of the editor. The area is unchanged as long as it contains all viewpoints. */
  show({ deck, saved }: Pick<ViewpointEditor, 'deck' | 'saved'>): void {
    const plan = deck?.plan ?? null;
    const points = saved.map(({ position: [east, north] }): EastNorth => [east, north]);
    const key = JSON.stringify([deck?.uid, plan]);
    const { area } = this.frame;
    const wholeArea = { x: 0, y: 0, width: area.width, height: area.height };
    if (key === this.#shownKey && points.every((point) => isWithin(wholeArea, toDrawing(area, point)))) return;
    if (key !== this.#shownKey) this.window = wholePicture;
    this.#shownKey = key;
    this.frame = buildPlanFrame(plan, points);
  }

  setSize(size: Size): void {
    this.size = size;
  }

  showAll(): void {
    this.window = wholePicture;
  }

  /** Zooms by a factor around a pixel, by default the middle. */
  zoom(factor: number, pixel: DrawingPoint = { x: this.size.width / 2, y: this.size.height / 2 }): void {
    const { area } = this.frame;
    const point = fromPixels(this.viewBox, pixel);
    const { zoom, x, y } = this.window;
    const pixelInWindow = { x: 0.5 + (point.x / area.width - x) * zoom, y: 0.5 + (point.y / area.height - y) * zoom };
    this.window = zoomWindow(this.window, factor, pixelInWindow);
  }

  /** Moves the window by pixels to the right and down. */
  pan(rightPx: number, downPx: number): void {
    const { area } = this.frame;
    const units = this.viewBox.unitsPerPx * this.window.zoom;
    this.window = moveWindow(this.window, (rightPx * units) / area.width, (downPx * units) / area.height);
  }

  /** Metres east and north at a pixel. */
  toSite(pixel: DrawingPoint): EastNorth {
    return fromDrawing(this.frame.area, fromPixels(this.viewBox, pixel));
  }
}
