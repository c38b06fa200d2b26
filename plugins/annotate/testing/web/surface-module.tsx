import { useEffect, useRef } from 'react';
import { act } from '@testing-library/react';
import { vi } from 'vitest';
import { contribute, token } from '#core';
import { useService, webPlugin, type InstalledPlugin } from '#core/web';
import { tourModules, ViewSurfaces, type DepthSource } from '#plugins/tour';
import type { FakeSurface } from './fake-surface.ts';

/** Replaces ResizeObserver, which jsdom does not have. */
class FakeResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
export const stubResizeObserver = (): void => void vi.stubGlobal('ResizeObserver', FakeResizeObserver);

/**
 * Builds a plugin whose tour module shows the fake surface of the current test. Its second module has depth but no
 * surface.
 */
export function buildSurfaceModule(createSurface: () => FakeSurface): InstalledPlugin {
  function Scan() {
    const surfaces = useService(ViewSurfaces);
    const root = useRef<HTMLDivElement>(null);
    useEffect(() => {
      root.current?.append(createSurface().host);
      return surfaces.register(createSurface());
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
        contribute(tourModules, {
          id: 'fixture.other',
          order: 20,
          title: 'fixture.other',
          shortTitle: 'fixture.o',
          viewType: 'THREE_D_MODEL',
          depthSource: token<DepthSource>('fixture.Depth'),
          icon: async () => ({ default: () => null }),
          load: async () => ({ default: () => <p>The other module</p> }),
        }),
      ],
      messages: {
        en: async () => ({
          default: { 'fixture.scan': 'Scan view', 'fixture.s': 'SC', 'fixture.other': 'Other view', 'fixture.o': 'OT' },
        }),
      },
    }),
  };
}

let time = 0;
const pointerFields = {
  pointerId: { value: 1 },
  isPrimary: { value: true },
};

/** Touches the surface without releasing it. */
export async function touchDown({ host }: FakeSurface, x: number, y: number): Promise<void> {
  await act(async () => {
    const event = new MouseEvent('pointerdown', { bubbles: true, cancelable: true, clientX: x, clientY: y, button: 0 });
    Object.defineProperties(event, { ...pointerFields, pointerType: { value: 'touch' } });
    host.dispatchEvent(event);
  });
}

/** Clicks `later` milliseconds after the previous click, by default with the mouse. */
export async function clickOn(
  { host }: FakeSurface,
  x: number,
  y: number,
  elapsedMs = 1000,
  { pointerType = 'mouse', shiftKey = false }: { readonly pointerType?: string; readonly shiftKey?: boolean } = {},
): Promise<void> {
  time += elapsedMs;
  await act(async () => {
    for (const type of ['pointerdown', 'pointerup'] as const) {
      const event = new MouseEvent(type, {
        bubbles: true,
        cancelable: true,
        clientX: x,
        clientY: y,
        button: 0,
        shiftKey,
      });
      Object.defineProperties(event, {
        ...pointerFields,
        timeStamp: { value: time },
        pointerType: { value: pointerType },
      });
      host.dispatchEvent(event);
    }
  });
}

/** Moves the mouse over the surface without a pressed button. */
export async function hoverOver({ host }: FakeSurface, x: number, y: number, shiftKey = false): Promise<void> {
  await act(async () => {
    const event = new MouseEvent('pointermove', { bubbles: true, clientX: x, clientY: y, shiftKey });
    Object.defineProperties(event, { pointerId: { value: 1 }, pointerType: { value: 'mouse' } });
    host.dispatchEvent(event);
  });
}
