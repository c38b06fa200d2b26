import { fireEvent } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listenToGestures } from './pointer-gestures.ts';

const hosts: HTMLElement[] = [];
afterEach(() => hosts.splice(0).forEach((host) => host.remove()));

function setup(isHandled = true) {
  const host = document.createElement('div');
  host.setPointerCapture = () => undefined;
  host.hasPointerCapture = () => true;
  document.body.append(host);
  hosts.push(host);
  const listener = {
    onPress: vi.fn(() => isHandled),
    onDrag: vi.fn(),
    onPinch: vi.fn(),
    onGestureStep: vi.fn(),
    onRelease: vi.fn(),
    onScroll: vi.fn(),
  };
  const stop = listenToGestures(host, listener);
  const firePointer = (type: string, clientX: number, pointerId = 1) =>
    fireEvent(host, Object.assign(new MouseEvent(type, { clientX, clientY: 0, bubbles: true }), { pointerId }));
  return { host, listener, stop, firePointer };
}

describe('pointer gestures', () => {
  it('treats a movement of less than four pixels as a click and a longer one as a drag', () => {
    const { listener, firePointer } = setup();
    firePointer('pointerdown', 10);
    firePointer('pointermove', 13);
    firePointer('pointerup', 13);
    const readWasDrag = () => (listener.onRelease.mock.lastCall as readonly unknown[] | undefined)?.[2];
    expect([listener.onDrag.mock.calls.length, readWasDrag()]).toEqual([0, false]);
    firePointer('pointerdown', 10);
    firePointer('pointermove', 15);
    firePointer('pointerup', 15);
    expect(listener.onDrag.mock.lastCall?.slice(0, 2)).toEqual([5, 0]);
    expect([listener.onGestureStep.mock.calls.length, readWasDrag()]).toEqual([1, true]);
  });

  it('reports a pinch as a drag of the centre, and as the previous distance of the fingers divided by the current one', () => {
    const { listener, firePointer } = setup();
    firePointer('pointerdown', 0, 7);
    firePointer('pointerdown', 100, 8);
    firePointer('pointermove', 200, 8);
    expect(listener.onDrag.mock.lastCall?.slice(0, 2)).toEqual([50, 0]);
    const [previousToCurrentRatio, getMiddle] = listener.onPinch.mock.lastCall as [number, () => unknown];
    expect([previousToCurrentRatio, getMiddle()]).toEqual([0.5, { x: 100, y: 0 }]);
    firePointer('pointerup', 200, 8);
    const [, , , remainingFingers] = listener.onRelease.mock.lastCall as readonly unknown[];
    expect(remainingFingers).toBe(1);
  });

  it('ignores a press that the listener rejects', () => {
    const { listener, firePointer } = setup(false);
    firePointer('pointerdown', 0);
    firePointer('pointermove', 50);
    firePointer('pointerup', 50);
    expect([listener.onDrag.mock.calls.length, listener.onRelease.mock.calls.length]).toEqual([0, 0]);
  });

  it('reports the wheel in pixels, limited to 300, until the listener is removed', () => {
    const { host, listener, stop } = setup();
    fireEvent.wheel(host, { deltaY: 3, deltaMode: WheelEvent.DOM_DELTA_LINE });
    fireEvent.wheel(host, { deltaY: -2, deltaMode: WheelEvent.DOM_DELTA_PAGE });
    expect(listener.onScroll.mock.calls.map(([amount]) => amount as number)).toEqual([48, -300]);
    stop();
    fireEvent.wheel(host, { deltaY: 3 });
    expect(listener.onScroll).toHaveBeenCalledTimes(2);
  });
});
