import { fireEvent } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listenToGestures } from './pointer-gestures.ts';

const hosts: HTMLElement[] = [];
afterEach(() => hosts.splice(0).forEach((host) => host.remove()));

function setup(isTaken = true) {
  const host = document.createElement('div');
  host.setPointerCapture = () => undefined;
  host.hasPointerCapture = () => true;
  document.body.append(host);
  hosts.push(host);
  const listener = {
    pressed: vi.fn(() => isTaken),
    dragged: vi.fn(),
    pinched: vi.fn(),
    moved: vi.fn(),
    released: vi.fn(),
    scrolled: vi.fn(),
  };
  const stop = listenToGestures(host, listener);
  const point = (type: string, clientX: number, pointerId = 1) =>
    fireEvent(host, Object.assign(new MouseEvent(type, { clientX, clientY: 0, bubbles: true }), { pointerId }));
  return { host, listener, stop, point };
}

describe('pointer gestures', () => {
  it('treats a movement of up to four pixels as a click, a longer one as a drag', () => {
    const { listener, point } = setup();
    point('pointerdown', 10);
    point('pointermove', 13);
    point('pointerup', 13);
    expect([listener.dragged.mock.calls.length, listener.released.mock.lastCall?.[2]]).toEqual([0, false]);
    point('pointerdown', 10);
    point('pointermove', 15);
    point('pointerup', 15);
    expect(listener.dragged.mock.lastCall?.slice(0, 2)).toEqual([5, 0]);
    expect([listener.moved.mock.calls.length, listener.released.mock.lastCall?.[2]]).toEqual([1, true]);
  });

  it('moves by the centre of two fingers and reports their ratio', () => {
    const { listener, point } = setup();
    point('pointerdown', 0, 1);
    point('pointerdown', 100, 2);
    point('pointermove', 200, 2);
    expect(listener.dragged.mock.lastCall?.slice(0, 2)).toEqual([50, 0]);
    const [ratio, middle] = listener.pinched.mock.lastCall as [number, () => unknown];
    expect([ratio, middle()]).toEqual([0.5, { x: 100, y: 0 }]);
    point('pointerup', 200, 2);
    expect(listener.released.mock.lastCall?.[3]).toBe(1);
  });

  it('ignores a press that the listener rejects', () => {
    const { listener, point } = setup(false);
    point('pointerdown', 0);
    point('pointermove', 50);
    point('pointerup', 50);
    expect([listener.dragged.mock.calls.length, listener.released.mock.calls.length]).toEqual([0, 0]);
  });

  it('reports the wheel in pixels, at most 300, until the listener is removed', () => {
    const { host, listener, stop } = setup();
    fireEvent.wheel(host, { deltaY: 3, deltaMode: WheelEvent.DOM_DELTA_LINE });
    fireEvent.wheel(host, { deltaY: -2, deltaMode: WheelEvent.DOM_DELTA_PAGE });
    expect(listener.scrolled.mock.calls.map(([amount]) => amount as number)).toEqual([48, -300]);
    stop();
    fireEvent.wheel(host, { deltaY: 3 });
    expect(listener.scrolled).toHaveBeenCalledTimes(2);
  });
});
