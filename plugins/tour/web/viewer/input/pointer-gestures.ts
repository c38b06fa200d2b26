/** A position of a pointer in pixels from the host's top left corner. */
export interface PointerPosition {
  readonly x: number;
  readonly y: number;
}

export interface GestureListener {
  /**
   * Called when a finger or button is pressed. `fingers` is the number of pressed fingers. Returns false to ignore the
   * gesture.
   */
  onPress(event: PointerEvent, fingers: number, getMiddle: () => PointerPosition): boolean;
  /** Called when the centre of all fingers moves, with the movement in pixels. */
  onDrag(dx: number, dy: number, event: PointerEvent, fingers: number): void;
  /** Called after `onDrag`. `ratio` is the previous distance of two fingers divided by the current distance. */
  onPinch(ratio: number, getMiddle: () => PointerPosition): void;
  /** Called after each `onDrag` and its `onPinch`. */
  onGestureStep(): void;
  /** Called when a finger is released. `remaining` fingers are still down. `wasDrag` is false for a click. */
  onRelease(event: PointerEvent, position: PointerPosition, wasDrag: boolean, remaining: number): void;
  /** Called with -300 to 300 pixels per event. With `event.ctrlKey`, the event is a pinch on a touchpad. */
  onScroll(amount: number, event: WheelEvent, position: PointerPosition): void;
}

/** Maximum movement of a click, pixels. */
const maxClickMovePx = 4;
const linePx = 16;
const pagePx = 400;
const maxScrollPx = 300;

/** Listens to drags, pinches and the wheel on an element. Returns the function that stops it. */
export function listenToGestures(host: HTMLElement, listener: GestureListener): () => void {
  const fingers = new Map<number, PointerPosition>();
  let start: PointerPosition | undefined;
  let dragging = false;

  const toHostPosition = (event: PointerEvent | WheelEvent): PointerPosition => {
    const box = host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const computeSpread = (): number => {
    const [a, b] = [...fingers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  const getMiddle = (): PointerPosition => {
    const positions = [...fingers.values()];
    const computeMean = (axis: 'x' | 'y'): number =>
      positions.reduce((sum, finger) => sum + finger[axis], 0) / positions.length;
    return { x: computeMean('x'), y: computeMean('y') };
  };

  const handleDown = (event: PointerEvent): void => {
    const finger = toHostPosition(event);
    fingers.set(event.pointerId, finger);
    if (!listener.onPress(event, fingers.size, getMiddle)) return void fingers.delete(event.pointerId);
    start = finger;
    dragging = fingers.size > 1;
  };

  const handleMove = (event: PointerEvent): void => {
    const previous = fingers.get(event.pointerId);
    if (!previous) return;
    const current = toHostPosition(event);
    if (!dragging) {
      if (start && Math.hypot(current.x - start.x, current.y - start.y) < maxClickMovePx) return;
      dragging = true;
    }
    if (!host.hasPointerCapture(event.pointerId)) host.setPointerCapture(event.pointerId);
    const previousSpread = computeSpread();
    fingers.set(event.pointerId, current);
    const { size } = fingers;
    listener.onDrag((current.x - previous.x) / size, (current.y - previous.y) / size, event, size);
    const currentSpread = computeSpread();
    if (previousSpread > 0 && currentSpread > 0) listener.onPinch(previousSpread / currentSpread, getMiddle);
    listener.onGestureStep();
  };

  const handleUp = (event: PointerEvent): void => {
    const position = fingers.get(event.pointerId);
    if (!position) return;
    fingers.delete(event.pointerId);
    listener.onRelease(event, position, dragging, fingers.size);
    if (fingers.size === 0) dragging = false;
  };

  const handleWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { deltaMode } = event;
    const largeUnit = deltaMode === WheelEvent.DOM_DELTA_LINE ? linePx : pagePx;
    const unit = deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : largeUnit;
    const amount = Math.max(-maxScrollPx, Math.min(maxScrollPx, event.deltaY * unit));
    listener.onScroll(amount, event, toHostPosition(event));
  };

  const abort = new AbortController();
  const { signal } = abort;
  host.addEventListener('pointerdown', handleDown, { signal });
  host.addEventListener('pointermove', handleMove, { signal });
  host.addEventListener('pointerup', handleUp, { signal });
  host.addEventListener('pointercancel', handleUp, { signal });
  host.addEventListener('wheel', handleWheel, { signal, passive: false });
  return () => abort.abort();
}
