/**
 * Gives all elements a size until the returned function is called, so that tables render visible rows, and makes
 * `scrollTo` scroll. jsdom has no layout.
 */
export function pretendSize(width: number, height: number): () => void {
  const { prototype } = HTMLElement;
  const fakeLayout = {
    clientWidth: { configurable: true, get: () => width },
    clientHeight: { configurable: true, get: () => height },
    // About the maximum scroll height of a browser, in pixels.
    scrollWidth: { configurable: true, get: () => 16_000_000 },
    scrollHeight: { configurable: true, get: () => 16_000_000 },
    scrollTo: { configurable: true, value: scrollTo },
  };
  Object.defineProperties(prototype, fakeLayout);
  return () => {
    for (const name of Object.keys(fakeLayout)) Reflect.deleteProperty(prototype, name);
  };
}

function scrollTo(this: HTMLElement, { top, left }: ScrollToOptions): void {
  if (top !== undefined) this.scrollTop = top;
  if (left !== undefined) this.scrollLeft = left;
  this.dispatchEvent(new Event('scroll'));
}
