import { useEffect } from 'react';
import type { ViewSurface } from '#plugins/tour';
import type { TourFrame } from '../../viewer/use-tour-frame.ts';
import { findLabelLayout } from './label-layout.ts';

/** Keeps words over the pictures from under what floats over them. */
export function useOccluders(frame: TourFrame | undefined, surfaces: readonly ViewSurface[]): void {
  useEffect(() => {
    if (!frame) return undefined;
    const { chrome, root } = frame;
    const sizes = new ResizeObserver(() => notify());
    const notify = (): void => {
      const parts = [...chrome.children, ...root.querySelectorAll(':scope > [role="group"]')].map((part) =>
        part.getBoundingClientRect(),
      );
      const boxes = parts
        .filter((box) => box.width > 0 && box.height > 0)
        .map(({ left, top, width, height }) => ({ left, top, width, height }));
      for (const surface of surfaces) findLabelLayout(surface).cover(boxes);
    };
    const watch = (): void => {
      sizes.disconnect();
      for (const part of [root, chrome, ...chrome.children, ...surfaces.map(({ host }) => host)]) sizes.observe(part);
      notify();
    };
    const parts = new MutationObserver(watch);
    parts.observe(chrome, { childList: true });
    parts.observe(root, { childList: true });
    watch();
    return () => {
      parts.disconnect();
      sizes.disconnect();
    };
  }, [frame, surfaces]);
}
