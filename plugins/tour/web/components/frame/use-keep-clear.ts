import { useEffect, type RefObject } from 'react';
import { useService } from '#core/web';
import { PanoramaEngines } from '#plugins/tour';

/** Keeps the panoramas' pins from under what floats over them, as far as that is shown. */
export function useKeepClear(chrome: RefObject<HTMLElement | null>, shown: boolean): void {
  const engines = useService(PanoramaEngines);
  useEffect(() => {
    const element = chrome.current;
    if (!element) return undefined;
    const parts = [...element.children];
    const notify = (): void => {
      const boxes = shown
        ? parts.map((part) => part.getBoundingClientRect()).filter((box) => box.width > 0 && box.height > 0)
        : [];
      engines.keepClear(boxes.map(({ left, top, width, height }) => ({ left, top, width, height })));
    };
    const observer = new ResizeObserver(notify);
    for (const part of [element, ...parts]) observer.observe(part);
    notify();
    return () => observer.disconnect();
  });
}
