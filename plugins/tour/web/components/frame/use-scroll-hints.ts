import { useEffect, type RefObject } from 'react';

/** Maximum width of the fade at an edge with hidden content, pixels. */
const fade = 28;

/** Sets `--more-before` and `--more-after` of a horizontal scroller to the widths of the fades at its edges. */
export function useScrollHints(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const notify = (): void => {
      const { scrollLeft, scrollWidth, clientWidth, style } = element;
      style.setProperty('--more-before', `${Math.min(fade, scrollLeft)}px`);
      style.setProperty('--more-after', `${Math.min(fade, Math.max(0, scrollWidth - clientWidth - scrollLeft))}px`);
    };
    const sizes = new ResizeObserver(notify);
    const watch = (): void => {
      sizes.disconnect();
      for (const each of [element, ...element.children]) sizes.observe(each);
      notify();
    };
    const parts = new MutationObserver(watch);
    parts.observe(element, { childList: true });
    element.addEventListener('scroll', notify, { passive: true });
    watch();
    return () => {
      parts.disconnect();
      sizes.disconnect();
      element.removeEventListener('scroll', notify);
    };
  }, [scroller]);
}
