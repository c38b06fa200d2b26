/**
 * jsdom has no layout: the body has no size and no element an `offsetParent`. Fluent takes such elements for invisible:
 * it focuses no field of a dialog that opens, and hides the dialog itself from assistive technology 250 ms later.
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
