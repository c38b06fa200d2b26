import { useEffect, useRef } from 'react';
import { act } from '@testing-library/react';
import { vi } from 'vitest';
import { contribute } from '#core';
import { useService, webPlugin, type InstalledPlugin } from '#core/web';
import { tourModules, ViewSurfaces } from '#plugins/tour';
import type { FakeSurface } from './fake-surface.ts';

/** jsdom knows no sizes and nobody who watches them. */
class NoResizes implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
export const layOutNothing = (): void => void vi.stubGlobal('ResizeObserver', NoResizes);

/** A plugin whose tour module shows the fake surface of the test at hand. */
export function surfaceModule(surfaceOf: () => FakeSurface): InstalledPlugin {
  function Scan() {
    const surfaces = useService(ViewSurfaces);
    const root = useRef<HTMLDivElement>(null);
    useEffect(() => {
      root.current?.append(surfaceOf().host);
      return surfaces.offer(surfaceOf());
    }, [surfaces]);
    return <div ref={root} />;
  }
  return {
    id: 'fixture',
    settings: {},
    bridges: [],
    web: webPlugin()({
      contributions: [
        contribute(tourModules, {
          id: 'fixture.scan',
          order: 10,
          title: 'fixture.scan',
          shortTitle: 'fixture.s',
          viewType: 'TRU_VIEW',
          icon: async () => ({ default: () => null }),
          load: async () => ({ default: Scan }),
        }),
      ],
      messages: { en: async () => ({ default: { 'fixture.scan': 'Scan view', 'fixture.s': 'SC' } }) },
    }),
  };
}

let time = 0;
/** A click of the mouse, some milliseconds after the one before. */
export async function clickOn({ host }: FakeSurface, x: number, y: number, later = 1000): Promise<void> {
  time += later;
  await act(async () => {
    for (const type of ['pointerdown', 'pointerup'] as const) {
      const event = new MouseEvent(type, { bubbles: true, cancelable: true, clientX: x, clientY: y, button: 0 });
      Object.defineProperties(event, {
        pointerId: { value: 1 },
        isPrimary: { value: true },
        timeStamp: { value: time },
        pointerType: { value: 'mouse' },
      });
      host.dispatchEvent(event);
    }
  });
}
