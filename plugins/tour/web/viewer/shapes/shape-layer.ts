import type { Point3 } from '#core';
import type { PanoramaShape } from '#plugins/tour';
import type { Camera } from '../math/camera.ts';
import { clipShape, type PixelPoint } from './clip-shape.ts';

interface PlacedShape {
  shape: PanoramaShape;
  readonly group: SVGGElement;
  /** The path twice: the lower one for an edge that is visible on any picture, then the shape itself. */
  readonly paths: readonly [SVGPathElement, SVGPathElement];
  readonly text: SVGTextElement;
  /** Unit vectors. */
  corners: readonly Point3[];
  visible: boolean;
}

/** Width above which the name is drawn on a shape, pixels. */
const nameMargin = 96;
/** Maximum movement of a click in pixels, as for the picture below. */
const clickReach = 4;

const made = <K extends keyof SVGElementTagNameMap>(name: K): SVGElementTagNameMap[K] =>
  document.createElementNS('http://www.w3.org/2000/svg', name);

/** Outlines over the picture. Shapes out of view are hidden, so that Tab skips them. */
export class ShapeLayer {
  readonly element = made('svg');
  #shapes: readonly PlacedShape[] = [];

  constructor() {
    // Only its buttons matter to assistive technology.
    this.element.setAttribute('role', 'none');
    Object.assign(this.element.style, {
      position: 'absolute',
      inset: '0',
      width: '100%',
      height: '100%',
      overflow: 'hidden',
      pointerEvents: 'none',
    });
  }

  set(shapes: readonly PanoramaShape[]): void {
    const existing = new Map(this.#shapes.map((placed) => [placed.shape.id, placed]));
    this.#shapes = shapes.map((shape) => this.#keep(existing.get(shape.id), shape));
    const remaining = new Set(this.#shapes);
    for (const placed of existing.values()) if (!remaining.has(placed)) placed.group.remove();
    this.#shapes.forEach(({ group }, index) => {
      if (this.element.children[index] !== group)
        this.element.insertBefore(group, this.element.children[index] ?? null);
    });
  }

  /** Places all shapes for a camera, in CSS pixels. */
  place(camera: Camera): void {
    for (const placed of this.#shapes) {
      const parts = clipShape(placed.corners, placed.shape.closed, camera);
      const points = parts.flat();
      const [left, right] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
      const [top, bottom] = [Math.min(...points.map(({ y }) => y)), Math.max(...points.map(({ y }) => y))];
      const visible = points.length > 0 && right > 0 && left < camera.width && bottom > 0 && top < camera.height;
      if (visible !== placed.visible) {
        placed.visible = visible;
        placed.group.style.display = visible ? '' : 'none';
      }
      if (!visible) continue;
      const outline = parts.map((part) => formatPath(part, placed.shape.closed)).join('');
      for (const path of placed.paths) path.setAttribute('d', outline);
      const named = placed.shape.name !== '' && right - left >= nameMargin;
      placed.text.style.display = named ? '' : 'none';
      if (!named) continue;
      placed.text.setAttribute('x', ((Math.max(0, left) + Math.min(camera.width, right)) / 2).toFixed(1));
      placed.text.setAttribute('y', ((Math.max(0, top) + Math.min(camera.height, bottom)) / 2).toFixed(1));
    }
  }

  #keep(existing: PlacedShape | undefined, shape: PanoramaShape): PlacedShape {
    const placed = existing ?? this.#make(shape);
    const { group, text } = placed;
    placed.shape = shape;
    placed.corners = shape.corners.map(unit);
    if (group.getAttribute('class') !== shape.className) group.setAttribute('class', shape.className);
    if (text.textContent !== shape.name) text.textContent = shape.name;
    const acts = shape.onActivate !== undefined;
    group.style.pointerEvents = acts ? 'auto' : 'none';
    group.style.cursor = acts ? 'pointer' : '';
    for (const [name, value] of [
      ['role', 'button'],
      ['tabindex', '0'],
      ['aria-label', shape.label],
    ] as const) {
      if (acts) group.setAttribute(name, value);
      else group.removeAttribute(name);
    }
    if (acts) group.removeAttribute('aria-hidden');
    else group.setAttribute('aria-hidden', 'true');
    return placed;
  }

  #make(shape: PanoramaShape): PlacedShape {
    const group = made('g');
    const paths = [made('path'), made('path')] as const;
    const text = made('text');
    text.setAttribute('text-anchor', 'middle');
    text.setAttribute('dominant-baseline', 'middle');
    group.append(...paths, text);
    group.style.display = 'none';
    const placed: PlacedShape = { shape, group, paths, text, corners: [], visible: false };
    let pressed: PixelPoint | undefined;
    group.addEventListener('pointerdown', ({ clientX: x, clientY: y }) => (pressed = { x, y }));
    group.addEventListener('click', ({ clientX: x, clientY: y, detail }) => {
      // A drag of the picture that began on the shape ends with a click on it. Clicks without a pointer (`detail` 0)
      // come from assistive technology.
      if (detail > 0 && pressed && Math.hypot(x - pressed.x, y - pressed.y) >= clickReach) return;
      placed.shape.onActivate?.();
    });
    group.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      event.stopPropagation();
      placed.shape.onActivate?.();
    });
    return placed;
  }
}

function unit([x, y, z]: Point3): Point3 {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}

function formatPath(points: readonly PixelPoint[], closed: boolean): string {
  return `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}${closed ? 'Z' : ''}`;
}
