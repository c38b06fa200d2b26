import { useEffect, type RefObject } from 'react';

/** How wide what goes on beyond an edge fades out, pixels. */
const fade = 28;

/**
 * Tells an element's style how much of what scrolls sideways in it is out of sight: `--more-before` and `--more-after`
 * are the widths of the fades.
 */
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
