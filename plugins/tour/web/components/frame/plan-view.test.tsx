import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { FakeServer, renderScreen } from '#core/testing/web';
import { TourStore, type Deck } from '#plugins/tour';
import tour from '../../index.ts';
import { buildNode, buildTour } from '../../../testing/web/test-tour.ts';
import { MiniMap } from './mini-map.tsx';
import { PlanView } from './plan-view.tsx';

/** jsdom has no layout and so no `ResizeObserver`. */
class FakeResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
vi.stubGlobal('ResizeObserver', FakeResizeObserver);

/** Renders the plan of a deck with 160 viewpoints. The window shows a quarter of them. */
async function setup(toElement = (deck: Deck) => <PlanView deck={deck} withImage large />) {
  const nodes = Array.from({ length: 160 }, (_, k) =>
    buildNode(`N${k}`, { position: [(k % 16) * 2.5 + 1, Math.floor(k / 16) * 2 + 1, 1.7] }),
  );
  const openedTour = buildTour({ nodes, links: [] });
  const server = new FakeServer()
    .on('GET /api/tour/:location', { status: 200, body: openedTour })
    .on('GET /api/tour/:location/visited', { status: 200, body: [] })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} });
  const plugins = [{ id: 'tour', settings: {}, web: tour, bridges: [] }];
  const rendered = await renderScreen(toElement(openedTour.decks[0]!), { plugins, plugin: 'tour', server });
  const store = await rendered.core.host.getService('tour', TourStore);
  await act(() => store.open('unit', { node: 'N72' }));
  const readImage = () => {
    const { width, left } = rendered.container.querySelector('img')!.style;
    return { width, left };
  };
  return { ...rendered, store, group: screen.getByRole('group', { name: 'Plan of Lower' }), readImage };
}
const nextFrame = () => act(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));

describe('PlanView', () => {
  it('pans and zooms by keys, and keeps the focus in the plan when the focused button leaves the view', async () => {
    const { user, group, readImage } = await setup();
    const button = screen.getByRole('button', { name: 'Node N72' });
    act(() => button.focus());
    await user.keyboard('+');
    expect(readImage().width).toBe('300%');
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
    await nextFrame();
    expect(button.isConnected).toBe(false);
    expect(document.activeElement).toBe(group);
    const { left } = readImage();
    await user.keyboard('{ArrowLeft}');
    expect(readImage().left).not.toBe(left);
  });

  it('leaves keys with modifiers to the browser', async () => {
    const { readImage } = await setup();
    const button = screen.getByRole('button', { name: 'Node N72' });
    const before = readImage();
    expect(fireEvent.keyDown(button, { key: '+', ctrlKey: true })).toBe(true);
    expect(fireEvent.keyDown(button, { key: 'ArrowLeft', altKey: true })).toBe(true);
    expect(readImage()).toEqual(before);
    expect(fireEvent.keyDown(button, { key: '+' })).toBe(false);
  });

  it('pans only while the pointer is pressed, even if it was released outside of the plan', async () => {
    const { group, readImage } = await setup();
    group.setPointerCapture = () => undefined;
    group.hasPointerCapture = () => true;
    vi.spyOn(group, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 280, 140));
    const before = readImage();
    // jsdom has no pointer events.
    const fire = (type: string, clientX: number, buttons: number) =>
      fireEvent(
        group,
        Object.assign(new MouseEvent(type, { bubbles: true, clientX, clientY: 50, buttons }), { pointerId: 1 }),
      );
    fire('pointerdown', 2, 1);
    fire('pointermove', 120, 0);
    fire('pointermove', 160, 0);
    expect(readImage()).toEqual(before);
    fire('pointerdown', 100, 1);
    fire('pointermove', 140, 1);
    expect(readImage()).not.toEqual(before);
  });
});

describe('MiniMap', () => {
  it('returns the focus to its button when the large map is closed', async () => {
    const { user } = await setup((deck) => <MiniMap deck={deck} withImage />);
    const opener = screen.getByRole('button', { name: 'Open the map large' });
    for (const close of [
      () => user.keyboard('{Escape}'),
      () => user.click(screen.getByRole('button', { name: 'Close' })),
    ]) {
      await user.click(opener);
      await screen.findByRole('dialog');
      await close();
      expect([screen.queryByRole('dialog'), document.activeElement]).toEqual([null, opener]);
    }
  });
});
