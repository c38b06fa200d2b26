/**
 * jsdom has no layout, and no element a size. Gives all elements one until the returned function is called, so that a
 * table draws the rows that are in sight, and lets `scrollTo` scroll.
 */
export function pretendSize(width: number, height: number): () => void {
  const { prototype } = HTMLElement;
  const stand = {
    clientWidth: { configurable: true, get: () => width },
    clientHeight: { configurable: true, get: () => height },
    // The longest that a browser scrolls, about.
    scrollHeight: { configurable: true, get: () => 16_000_000 },
    scrollTo: { configurable: true, value: scrollTo },
  };
  Object.defineProperties(prototype, stand);
  return () => {
    for (const name of Object.keys(stand)) Reflect.deleteProperty(prototype, name);
  };
}

function scrollTo(this: HTMLElement, { top = 0 }: ScrollToOptions): void {
  this.scrollTop = top;
  this.dispatchEvent(new Event('scroll'));
}
