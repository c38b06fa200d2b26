/** Pixels from the host's top left corner. */
export interface Finger {
  readonly x: number;
  readonly y: number;
}

export interface GestureListener {
  /** A finger or button is pressed; `fingers` are down. Return false to ignore the gesture. */
  pressed(event: PointerEvent, fingers: number, middle: () => Finger): boolean;
  /** Movement of the centre of all fingers, pixels. */
  dragged(dx: number, dy: number, event: PointerEvent, fingers: number): void;
  /** Called after `dragged`. `ratio`: previous distance of the fingers divided by the current one. */
  pinched(ratio: number, middle: () => Finger): void;
  /** Called after each `dragged`. */
  moved(): void;
  /** A finger is released; `left` others are still down. `wasDrag`: it moved farther than a click. */
  released(event: PointerEvent, at: Finger, wasDrag: boolean, left: number): void;
  /** `amount`: pixels, at most 300 per event. With `event.ctrlKey` it is a pinch on a touchpad. */
  scrolled(amount: number, event: WheelEvent, at: Finger): void;
}

/** Maximum movement of a click, pixels. */
const clickReach = 4;
const linePx = 16;
const pagePx = 400;
const maxScrollPx = 300;

/** Listens to drags, pinches and the wheel on an element. Returns the function that stops it. */
export function listenToGestures(host: HTMLElement, listener: GestureListener): () => void {
  const fingers = new Map<number, Finger>();
  let start: Finger | undefined;
  let dragging = false;

  const place = (event: PointerEvent | WheelEvent): Finger => {
    const box = host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const spread = (): number => {
    const [a, b] = [...fingers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  const middle = (): Finger => {
    const all = [...fingers.values()];
    const mean = (axis: 'x' | 'y'): number => all.reduce((sum, finger) => sum + finger[axis], 0) / all.length;
    return { x: mean('x'), y: mean('y') };
  };

  const onDown = (event: PointerEvent): void => {
    const finger = place(event);
    fingers.set(event.pointerId, finger);
    if (!listener.pressed(event, fingers.size, middle)) return void fingers.delete(event.pointerId);
    start = finger;
    dragging = fingers.size > 1;
  };

  const onMove = (event: PointerEvent): void => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    if (!dragging) {
      if (start && Math.hypot(now.x - start.x, now.y - start.y) < clickReach) return;
      dragging = true;
    }
    if (!host.hasPointerCapture(event.pointerId)) host.setPointerCapture(event.pointerId);
    const spreadBefore = spread();
    fingers.set(event.pointerId, now);
    const { size } = fingers;
    listener.dragged((now.x - before.x) / size, (now.y - before.y) / size, event, size);
    const spreadNow = spread();
    if (spreadBefore > 0 && spreadNow > 0) listener.pinched(spreadBefore / spreadNow, middle);
    listener.moved();
  };

  const onUp = (event: PointerEvent): void => {
    const at = fingers.get(event.pointerId);
    if (!at) return;
    fingers.delete(event.pointerId);
    listener.released(event, at, dragging, fingers.size);
    if (fingers.size === 0) dragging = false;
  };

  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { deltaMode } = event;
    const unit =
      deltaMode === WheelEvent.DOM_DELTA_LINE ? linePx : deltaMode === WheelEvent.DOM_DELTA_PAGE ? pagePx : 1;
    const amount = Math.max(-maxScrollPx, Math.min(maxScrollPx, event.deltaY * unit));
    listener.scrolled(amount, event, place(event));
  };

  const ends = new AbortController();
  const { signal } = ends;
  host.addEventListener('pointerdown', onDown, { signal });
  host.addEventListener('pointermove', onMove, { signal });
  host.addEventListener('pointerup', onUp, { signal });
  host.addEventListener('pointercancel', onUp, { signal });
  host.addEventListener('wheel', onWheel, { signal, passive: false });
  return () => ends.abort();
}
