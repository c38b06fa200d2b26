import { toDirection, dotProduct, normalizePan, type Point3 } from '#core';
import type { PanoramaArea, PanoramaPin } from '#plugins/tour';
import type { Camera } from '../math/camera.ts';

interface PlacedPin {
  pin: PanoramaPin;
  readonly element: HTMLButtonElement;
  direction: Point3;
  visible: boolean;
  /** Size in pixels, measured once. */
  width: number;
  height: number;
}

interface CentredBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels beyond the edge at which a pin is still shown, so that it slides out of the view. */
const marginPx = 32;

/**
 * Buttons over the picture. Hidden pins (out of view, under another pin or in a covered area) and pins at
 * the edge are skipped by Tab. The order in the DOM is clockwise from behind the viewer, so that Tab visits pins from
 * left to right. If the focused pin is hidden or removed, the picture gets the focus, so that keys still turn the
 * view.
 */
export class PinLayer {
  readonly element: HTMLDivElement;
  /** Clockwise from behind the viewer. */
  #pins: PlacedPin[] = [];
  /** In the order given to `set`. When two overlap, the first one is shown. */
  #pinsByRank: readonly PlacedPin[] = [];
  #coveredBoxes: readonly CentredBox[] = [];
  #pan = 0;

  constructor() {
    this.element = document.createElement('div');
    Object.assign(this.element.style, {
      position: 'absolute',
      inset: '0',
      overflow: 'clip',
      pointerEvents: 'none',
      contain: 'strict',
    });
  }

  set(pins: readonly PanoramaPin[]): void {
    const pinsById = new Map(this.#pins.map((placedPin) => [placedPin.pin.id, placedPin]));
    const updatedPins = pins.map((pin) => this.#updatePin(pinsById.get(pin.id), pin));
    this.#pinsByRank = [...updatedPins];
    const remainingPins = new Set(updatedPins);
    for (const placedPin of this.#pins) {
      if (remainingPins.has(placedPin)) continue;
      this.#moveFocusToPicture(placedPin);
      placedPin.element.remove();
    }
    this.#pins = updatedPins;
    this.#sortPins();
    for (const placedPin of this.#pinsByRank) {
      if (placedPin.width > 0) continue;
      placedPin.width = placedPin.element.offsetWidth;
      placedPin.height = placedPin.element.offsetHeight;
    }
  }

  /** Sets the covered areas, in pixels from the top left corner. */
  setCoveredAreas(areas: readonly PanoramaArea[]): void {
    this.#coveredBoxes = areas.map(({ left, top, width, height }) => ({
      x: left + width / 2,
      y: top + height / 2,
      width,
      height,
    }));
  }

  /** Moves all pins to their pixels. The size of the camera is in CSS pixels. */
  layOut(camera: Camera, pan: number): void {
    const focusedElement = document.activeElement;
    const occupiedBoxes: CentredBox[] = [...this.#coveredBoxes];
    for (const placedPin of this.#pinsByRank) {
      const depth = dotProduct(placedPin.direction, camera.forward);
      const x =
        depth > 0.01
          ? ((dotProduct(placedPin.direction, camera.right) / depth / camera.halfWidth + 1) / 2) * camera.width
          : -1e4;
      const y =
        depth > 0.01
          ? ((1 - dotProduct(placedPin.direction, camera.up) / depth / camera.halfHeight) / 2) * camera.height
          : -1e4;
      const box = { x, y, width: placedPin.width, height: placedPin.height };
      const inView = x > -marginPx && y > -marginPx && x < camera.width + marginPx && y < camera.height + marginPx;
      const visible =
        inView &&
        (placedPin.element === focusedElement || !occupiedBoxes.some((occupiedBox) => doOverlap(occupiedBox, box)));
      if (visible !== placedPin.visible) {
        placedPin.visible = visible;
        if (!visible) this.#moveFocusToPicture(placedPin);
        placedPin.element.style.visibility = visible ? 'visible' : 'hidden';
      }
      if (!visible) continue;
      const isAtEdge = x < 0 || y < 0 || x > camera.width || y > camera.height;
      if (isAtEdge !== placedPin.element.tabIndex < 0) placedPin.element.tabIndex = isAtEdge ? -1 : 0;
      occupiedBoxes.push(box);
      placedPin.element.style.transform = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px) translate(-50%,-50%)`;
    }
    this.#pan = pan;
    this.#updateOrder();
  }

  #updatePin(existingPin: PlacedPin | undefined, pin: PanoramaPin): PlacedPin {
    const placedPin = existingPin ?? this.#createPin(pin);
    placedPin.pin = pin;
    placedPin.direction = toDirection(pin.pan, pin.tilt);
    if (placedPin.element.className !== pin.className) placedPin.element.className = pin.className;
    if (placedPin.element.getAttribute('aria-label') !== pin.label)
      placedPin.element.setAttribute('aria-label', pin.label);
    return placedPin;
  }

  #createPin(pin: PanoramaPin): PlacedPin {
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
    const placedPin: PlacedPin = { pin, element, direction: [0, 1, 0], visible: false, width: 0, height: 0 };
    element.addEventListener('click', () => placedPin.pin.onActivate());
    element.addEventListener('pointerenter', (event) => {
      if (event.pointerType === 'mouse') placedPin.pin.onHover?.(true);
    });
    element.addEventListener('pointerleave', () => placedPin.pin.onHover?.(false));
    pin.render(element);
    return placedPin;
  }

  #moveFocusToPicture({ element }: PlacedPin): void {
    if (element === document.activeElement) this.element.parentElement?.focus({ preventScroll: true });
  }

  /** Computes the angle of a pin in degrees clockwise from behind the viewer. */
  #computeAngle(placedPin: PlacedPin): number {
    return normalizePan(placedPin.pin.pan - this.#pan + 180);
  }

  /** Sorts the pins again if the order does not start behind the viewer any more. */
  #updateOrder(): void {
    const [first, last] = [this.#pins[0], this.#pins.at(-1)];
    if (first && last && this.#computeAngle(first) > this.#computeAngle(last)) this.#sortPins();
  }

  /** Sorts the pins and their elements with as few moves as possible. The focus is restored. */
  #sortPins(): void {
    this.#pins.sort((a, b) => this.#computeAngle(a) - this.#computeAngle(b) || b.pin.tilt - a.pin.tilt);
    const focusedElement = document.activeElement;
    const elements = this.#pins.map((placedPin) => placedPin.element);
    const remainingElements = new Set<Element>(elements);
    // After a turn to the right, the first few elements belong at the end. Appends these, because the loop below would
    // instead move all other elements before them.
    for (const element of [...this.element.children]) {
      if (element === elements[0] || !remainingElements.has(element) || !isInSecondHalf(element, elements)) break;
      this.element.append(element);
    }
    let previous: Element | null = null;
    for (const element of elements) {
      const expected: Element | null = previous ? previous.nextElementSibling : this.element.firstElementChild;
      if (expected !== element) this.element.insertBefore(element, expected);
      previous = element;
    }
    if (
      focusedElement instanceof HTMLElement &&
      remainingElements.has(focusedElement) &&
      document.activeElement !== focusedElement
    )
      focusedElement.focus({ preventScroll: true });
  }
}

function doOverlap(a: CentredBox, b: CentredBox): boolean {
  return Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;
}

/** True if an element belongs to the second half of the order. */
function isInSecondHalf(element: Element, order: readonly Element[]): boolean {
  return order.indexOf(element as HTMLButtonElement) >= order.length / 2;
}
