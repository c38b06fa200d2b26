import { useEffect, type RefObject } from 'react';
import { useService } from '#core/web';
import { PanoramaEngine } from '#plugins/tour';

/** Keeps the panorama's pins from under what floats over it, as far as that is shown. */
export function useKeepClear(chrome: RefObject<HTMLElement | null>, shown: boolean): void {
  const engine = useService(PanoramaEngine);
  useEffect(() => {
    const element = chrome.current;
    if (!element) return undefined;
    const parts = [...element.children];
    const tell = (): void => {
      const origin = element.getBoundingClientRect();
      const boxes = shown ? parts.map((part) => part.getBoundingClientRect()).filter((box) => box.width > 0 && box.height > 0) : [];
      engine.keepClear(boxes.map(({ left, top, width, height }) => ({ left: left - origin.left, top: top - origin.top, width, height })));
    };
    const observer = new ResizeObserver(tell);
    for (const part of [element, ...parts]) observer.observe(part);
    tell();
    return () => observer.disconnect();
  });
}
