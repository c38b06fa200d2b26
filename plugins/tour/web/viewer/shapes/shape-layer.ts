import type { Point3 } from '#core';
import type { PanoramaShape } from '#plugins/tour';
import type { Camera } from '../math/camera.ts';
import { projectShape, type PixelPoint } from './project-shape.ts';

interface PlacedShape {
  shape: PanoramaShape;
  readonly group: SVGGElement;
  /** The path is drawn twice: first as a dark edge that is visible on any picture, then as the shape itself. */
  readonly paths: readonly [SVGPathElement, SVGPathElement];
  readonly text: SVGTextElement;
  /** Unit vectors. */
  corners: readonly Point3[];
  visible: boolean;
}

/** Minimum width of a shape with a visible name, pixels. */
const minNamedWidthPx = 96;
/** Maximum movement of a click in pixels. Pictures use the same value. */
const maxClickMovePx = 4;

const createSvg = <K extends keyof SVGElementTagNameMap>(name: K): SVGElementTagNameMap[K] =>
  document.createElementNS('http://www.w3.org/2000/svg', name);

/** Outlines over the picture. Shapes out of view are hidden, so that Tab skips them. */
export class ShapeLayer {
  readonly element = createSvg('svg');
  #shapes: readonly PlacedShape[] = [];

  constructor() {
    // Assistive technology needs only the buttons in the layer.
    this.element.setAttribute('role', 'none');
    Object.assign(this.element.style, {
      position: 'absolute',
      inset: '0',
      width: '100%',
      height: '100%',
      overflow: 'clip',
      pointerEvents: 'none',
    });
  }

  set(shapes: readonly PanoramaShape[]): void {
    const shapesById = new Map(this.#shapes.map((placedShape) => [placedShape.shape.id, placedShape]));
    this.#shapes = shapes.map((shape) => this.#updateShape(shapesById.get(shape.id), shape));
    const remainingShapes = new Set(this.#shapes);
    for (const placedShape of shapesById.values()) if (!remainingShapes.has(placedShape)) placedShape.group.remove();
    this.#shapes.forEach(({ group }, index) => {
      if (this.element.children[index] !== group)
        this.element.insertBefore(group, this.element.children[index] ?? null);
    });
  }

  /** Draws all shapes at their pixels. The size of the camera is in CSS pixels. */
  layOut(camera: Camera): void {
    for (const placedShape of this.#shapes) {
      const parts = projectShape(placedShape.corners, placedShape.shape.closed, camera);
      const points = parts.flat();
      const [left, right] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
      const [top, bottom] = [Math.min(...points.map(({ y }) => y)), Math.max(...points.map(({ y }) => y))];
      const visible = points.length > 0 && right > 0 && left < camera.width && bottom > 0 && top < camera.height;
      if (visible !== placedShape.visible) {
        placedShape.visible = visible;
        placedShape.group.style.display = visible ? '' : 'none';
        setTabStop(placedShape);
      }
      if (!visible) continue;
      const outline = parts.map((part) => formatPath(part, placedShape.shape.closed)).join('');
      for (const path of placedShape.paths) path.setAttribute('d', outline);
      const isNamed = placedShape.shape.name !== '' && right - left >= minNamedWidthPx;
      placedShape.text.style.display = isNamed ? '' : 'none';
      if (!isNamed) continue;
      placedShape.text.setAttribute('x', ((Math.max(0, left) + Math.min(camera.width, right)) / 2).toFixed(1));
      placedShape.text.setAttribute('y', ((Math.max(0, top) + Math.min(camera.height, bottom)) / 2).toFixed(1));
    }
  }

  #updateShape(existingShape: PlacedShape | undefined, shape: PanoramaShape): PlacedShape {
    const placedShape = existingShape ?? this.#createShape(shape);
    const { group, text } = placedShape;
    placedShape.shape = shape;
    placedShape.corners = shape.corners.map(toUnitVector);
    if (group.getAttribute('class') !== shape.className) group.setAttribute('class', shape.className);
    if (text.textContent !== shape.name) text.textContent = shape.name;
    const isActive = shape.onActivate !== undefined;
    group.style.pointerEvents = isActive ? 'auto' : 'none';
    group.style.cursor = isActive ? 'pointer' : '';
    for (const [name, value] of [
      ['role', 'button'],
      ['aria-label', shape.label],
    ] as const) {
      if (isActive) group.setAttribute(name, value);
      else group.removeAttribute(name);
    }
    setTabStop(placedShape);
    if (isActive) group.removeAttribute('aria-hidden');
    else group.setAttribute('aria-hidden', 'true');
    return placedShape;
  }

  #createShape(shape: PanoramaShape): PlacedShape {
    const group = createSvg('g');
    const paths = [createSvg('path'), createSvg('path')] as const;
    const text = createSvg('text');
    text.setAttribute('text-anchor', 'middle');
    text.setAttribute('dominant-baseline', 'middle');
    group.append(...paths, text);
    group.style.display = 'none';
    const placedShape: PlacedShape = { shape, group, paths, text, corners: [], visible: false };
    let pressedPixel: PixelPoint | undefined;
    group.addEventListener('pointerdown', ({ clientX: x, clientY: y }) => (pressedPixel = { x, y }));
    group.addEventListener('click', ({ clientX: x, clientY: y, detail }) => {
      // A drag of the picture that began on the shape ends with a click on the shape. Clicks of assistive technology
      // have the detail 0.
      if (detail > 0 && pressedPixel && Math.hypot(x - pressedPixel.x, y - pressedPixel.y) >= maxClickMovePx) return;
      placedShape.shape.onActivate?.();
    });
    group.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      event.stopPropagation();
      placedShape.shape.onActivate?.();
    });
    return placedShape;
  }
}

function toUnitVector([x, y, z]: Point3): Point3 {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}

function formatPath(points: readonly PixelPoint[], closed: boolean): string {
  return `M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}${closed ? 'Z' : ''}`;
}

/** Chromium stops at a hidden SVG element with a tab index, so that Shift+Tab would not leave the picture. */
function setTabStop({ group, shape, visible }: PlacedShape): void {
  if (shape.onActivate === undefined) group.removeAttribute('tabindex');
  else group.setAttribute('tabindex', visible ? '0' : '-1');
}
