import { useEffect, type RefObject } from 'react';

/** Maximum width of the fade at an edge with hidden content, pixels. */
const maxFadePx = 28;

/** Sets `--more-before` and `--more-after` of a horizontal scroller to the widths of the fades at its edges. */
export function useScrollHints(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const updateFades = (): void => {
      const { scrollLeft, scrollWidth, clientWidth, style } = element;
      style.setProperty('--more-before', `${Math.min(maxFadePx, scrollLeft)}px`);
      style.setProperty(
        '--more-after',
        `${Math.min(maxFadePx, Math.max(0, scrollWidth - clientWidth - scrollLeft))}px`,
      );
    };
    const resizeObserver = new ResizeObserver(updateFades);
    const observeChildren = (): void => {
      resizeObserver.disconnect();
      for (const each of [element, ...element.children]) resizeObserver.observe(each);
      updateFades();
    };
    const childObserver = new MutationObserver(observeChildren);
    childObserver.observe(element, { childList: true });
    element.addEventListener('scroll', updateFades, { passive: true });
    observeChildren();
    return () => {
      childObserver.disconnect();
      resizeObserver.disconnect();
      element.removeEventListener('scroll', updateFades);
    };
  }, [scroller]);
}
