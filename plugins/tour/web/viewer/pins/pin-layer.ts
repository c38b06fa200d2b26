import { toDirection, dotProduct, normalizePan, type Point3 } from '#core';
import type { PanoramaArea, PanoramaPin } from '#plugins/tour';
import type { Camera } from '../math/camera.ts';

interface PlacedPin {
  pin: PanoramaPin;
  readonly element: HTMLButtonElement;
  direction: Point3;
  visible: boolean;
  /** Measured once, pixels. */
  width: number;
  height: number;
}

interface Shown {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels beyond the edge at which a pin is still shown, so that it slides out instead of disappearing. */
const margin = 32;

/**
 * Buttons over the picture, positioned only by `transform`. Pins out of view or under another pin are hidden, so that
 * Tab skips them. DOM order is clockwise from behind the viewer: left to right on screen. Only hidden elements are
 * moved, so that none loses the focus. If the focused pin is hidden or removed, the picture gets the focus, so that
 * keys still turn the view.
 */
export class PinLayer {
  readonly element: HTMLDivElement;
  /** Clockwise from behind the viewer. */
  #pins: PlacedPin[] = [];
  /** In the order of `setPins`: when two overlap, the earlier one is shown. */
  #ranked: readonly PlacedPin[] = [];
  #covers: readonly Shown[] = [];
  #pan = 0;

  constructor() {
    this.element = document.createElement('div');
    Object.assign(this.element.style, {
      position: 'absolute',
      inset: '0',
      overflow: 'hidden',
      pointerEvents: 'none',
      contain: 'strict',
    });
  }

  set(pins: readonly PanoramaPin[]): void {
    const existing = new Map(this.#pins.map((placed) => [placed.pin.id, placed]));
    const next = pins.map((pin) => this.#keep(existing.get(pin.id), pin));
    this.#ranked = [...next];
    const remaining = new Set(next);
    for (const placed of this.#pins) {
      if (remaining.has(placed)) continue;
      this.#moveFocusToPicture(placed);
      placed.element.remove();
    }
    this.#pins = next;
    this.#arrange();
    for (const placed of this.#ranked) {
      if (placed.width > 0) continue;
      placed.width = placed.element.offsetWidth;
      placed.height = placed.element.offsetHeight;
    }
  }

  /** Sets areas without pins, in pixels from the top left corner. */
  keepClear(areas: readonly PanoramaArea[]): void {
    this.#covers = areas.map(({ left, top, width, height }) => ({
      x: left + width / 2,
      y: top + height / 2,
      width,
      height,
    }));
  }

  /** Places all pins for a camera, in CSS pixels. */
  place(camera: Camera, pan: number): void {
    const focused = document.activeElement;
    const shown: Shown[] = [...this.#covers];
    for (const placed of this.#ranked) {
      const depth = dotProduct(placed.direction, camera.forward);
      const x =
        depth > 0.01
          ? ((dotProduct(placed.direction, camera.right) / depth / camera.halfWidth + 1) / 2) * camera.width
          : -1e4;
      const y =
        depth > 0.01
          ? ((1 - dotProduct(placed.direction, camera.up) / depth / camera.halfHeight) / 2) * camera.height
          : -1e4;
      const box = { x, y, width: placed.width, height: placed.height };
      const inView = x > -margin && y > -margin && x < camera.width + margin && y < camera.height + margin;
      const visible = inView && (placed.element === focused || !shown.some((other) => overlap(other, box)));
      if (visible !== placed.visible) {
        placed.visible = visible;
        if (!visible) this.#moveFocusToPicture(placed);
        placed.element.style.visibility = visible ? 'visible' : 'hidden';
      }
      if (!visible) continue;
      shown.push(box);
      placed.element.style.transform = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px) translate(-50%,-50%)`;
    }
    this.#pan = pan;
    this.#turnOrder();
  }

  #keep(existing: PlacedPin | undefined, pin: PanoramaPin): PlacedPin {
    const placed = existing ?? this.#make(pin);
    placed.pin = pin;
    placed.direction = toDirection(pin.pan, pin.tilt);
    if (placed.element.className !== pin.className) placed.element.className = pin.className;
    if (placed.element.getAttribute('aria-label') !== pin.label) placed.element.setAttribute('aria-label', pin.label);
    return placed;
  }

  #make(pin: PanoramaPin): PlacedPin {
    const element = document.createElement('button');
    element.type = 'button';
    Object.assign(element.style, {
      position: 'absolute',
      left: '0',
      top: '0',
      visibility: 'hidden',
      pointerEvents: 'auto',
      willChange: 'transform',
    });
    const placed: PlacedPin = { pin, element, direction: [0, 1, 0], visible: false, width: 0, height: 0 };
    element.addEventListener('click', () => placed.pin.onActivate());
    element.addEventListener('pointerenter', (event) => {
      if (event.pointerType === 'mouse') placed.pin.onHover?.(true);
    });
    element.addEventListener('pointerleave', () => placed.pin.onHover?.(false));
    pin.render(element);
    return placed;
  }

  #moveFocusToPicture({ element }: PlacedPin): void {
    if (element === document.activeElement) this.element.parentElement?.focus({ preventScroll: true });
  }

  /** Degrees clockwise from behind the viewer. */
  #fromBehind(placed: PlacedPin): number {
    return normalizePan(placed.pin.pan - this.#pan + 180);
  }

  /** Rotates the clockwise order so that it starts behind the viewer. */
  #turnOrder(): void {
    const [first, last] = [this.#pins[0], this.#pins.at(-1)];
    if (first && last && this.#fromBehind(first) > this.#fromBehind(last)) this.#arrange();
  }

  /** Sorts the pins and their elements with as few moves as possible. A moved element keeps the focus. */
  #arrange(): void {
    this.#pins.sort((a, b) => this.#fromBehind(a) - this.#fromBehind(b) || b.pin.tilt - a.pin.tilt);
    const focused = document.activeElement;
    const elements = this.#pins.map((placed) => placed.element);
    const remainingElements = new Set<Element>(elements);
    // Elements that rotated from the front to the end are moved there: cheaper than moving all others before them.
    for (const element of [...this.element.children]) {
      if (element === elements[0] || !remainingElements.has(element) || !isBehind(element, elements)) break;
      this.element.append(element);
    }
    let after: Element | null = null;
    for (const element of elements) {
      const expected: Element | null = after ? after.nextElementSibling : this.element.firstElementChild;
      if (expected !== element) this.element.insertBefore(element, expected);
      after = element;
    }
    if (focused instanceof HTMLElement && remainingElements.has(focused) && document.activeElement !== focused)
      focused.focus({ preventScroll: true });
  }
}

function overlap(a: Shown, b: Shown): boolean {
  return Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;
}

/** True if an element belongs to the second half of the order. */
function isBehind(element: Element, order: readonly Element[]): boolean {
  return order.indexOf(element as HTMLButtonElement) >= order.length / 2;
}
