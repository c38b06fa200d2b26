/**
 * Emulates layout in jsdom, where elements have no size and no `offsetParent`. Fluent treats such elements as
 * invisible: an opening dialog gets no focus and is aria-hidden after 250 ms.
 */
export function pretendLayout(): void {
  document.body.getBoundingClientRect = () => new DOMRect(0, 0, window.innerWidth, window.innerHeight);
  Object.defineProperty(HTMLElement.prototype, 'offsetParent', {
    configurable: true,
    get(this: HTMLElement) {
      return this.isConnected && this !== document.body ? document.body : null;
    },
  });
}
