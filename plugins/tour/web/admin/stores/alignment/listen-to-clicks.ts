/** A press that moves farther turns the view. */
const maxClickMovePx = 6;
/** A longer touch is not a tap. */
const maxTapMs = 600;

/**
 * Reports clicks and taps on a picture in pixels from its top left corner, and the key Enter as a click on its middle.
 * Ignores clicks on buttons in the picture. Returns the function that stops listening.
 */
export function listenToClicks(
  host: HTMLElement,
  onClick: (pixel: { readonly x: number; readonly y: number }, byKey: boolean) => void,
): () => void {
  const abort = new AbortController();
  const options = { capture: true, signal: abort.signal } as const;
  let press: { readonly id: number; readonly x: number; readonly y: number; readonly at: number } | undefined;
  const isButton = (event: Event): boolean =>
    event.composedPath().some((element) => element instanceof HTMLButtonElement);
  const toPixel = ({ clientX, clientY }: PointerEvent) => {
    const { left, top } = host.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  host.addEventListener(
    'pointerdown',
    (event) => {
      const isPress = event.button === 0 && event.isPrimary && !isButton(event);
      press = isPress ? { id: event.pointerId, ...toPixel(event), at: event.timeStamp } : undefined;
    },
    options,
  );
  host.addEventListener(
    'pointerup',
    (event) => {
      const start = press;
      press = undefined;
      const { x, y } = toPixel(event);
      if (start?.id !== event.pointerId || Math.hypot(x - start.x, y - start.y) > maxClickMovePx) return;
      if (event.pointerType !== 'mouse' && event.timeStamp - start.at > maxTapMs) return;
      // Keeps the click from selecting an object of a model.
      event.preventDefault();
      onClick({ x, y }, false);
    },
    options,
  );
  host.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' || event.repeat || isButton(event)) return;
      event.preventDefault();
      event.stopPropagation();
      const { width, height } = host.getBoundingClientRect();
      onClick({ x: width / 2, y: height / 2 }, true);
    },
    options,
  );
  return () => abort.abort();
}
