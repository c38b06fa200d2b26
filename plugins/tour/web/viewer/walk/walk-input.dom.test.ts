import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { distanceBetween, type Point3 } from '#core';
import { EasedCameraController } from './eased-camera-controller.ts';

const wall: Point3 = [0, 8, 1.7];
const hosts: HTMLElement[] = [];
afterEach(() => hosts.splice(0).forEach((host) => host.remove()));

/** Creates a host of 500 pixels in height and a camera eight metres from a wall. */
function setup(pointAt: (x: number, y: number) => Promise<Point3 | undefined> = async () => wall) {
  const controller = new EasedCameraController({ position: [0, 0, 1.7], pan: 0, tilt: 0, fov: 60 });
  const host = document.createElement('div');
  host.tabIndex = 0;
  Object.defineProperty(host, 'clientHeight', { value: 500 });
  host.setPointerCapture = () => undefined;
  host.hasPointerCapture = () => true;
  document.body.append(host);
  hosts.push(host);
  const listener = { pointAt: vi.fn(pointAt), onChange: vi.fn(), onHome: vi.fn(), onClick: vi.fn() };
  const stop = controller.listen(host, listener);
  const firePointer = (
    type: string,
    clientX: number,
    clientY: number,
    changes: MouseEventInit & { readonly pointerId?: number } = {},
  ) =>
    fireEvent(
      host,
      Object.assign(new MouseEvent(type, { button: 0, clientX, clientY, bubbles: true, ...changes }), {
        pointerId: changes.pointerId ?? 1,
      }),
    );
  return { controller, host, listener, stop, firePointer };
}
const waitForPick = () =>
  Promise.resolve()
    .then(() => undefined)
    .then(() => undefined);

describe('pointers of a walk', () => {
  it('turns the view by a drag without moving', () => {
    const { controller, firePointer, listener } = setup();
    firePointer('pointerdown', 100, 100);
    firePointer('pointermove', 150, 100);
    firePointer('pointerup', 150, 100);
    expect(controller.view.pan).toBeCloseTo(360 - 6);
    expect(controller.view.position).toEqual([0, 0, 1.7]);
    expect(listener.onClick).not.toHaveBeenCalled();
  });

  it('reports a click with Ctrl as an addition', () => {
    const { firePointer, listener, controller } = setup();
    firePointer('pointerdown', 100, 100);
    firePointer('pointermove', 102, 101);
    firePointer('pointerup', 102, 101, { ctrlKey: true });
    expect(listener.onClick.mock.calls).toEqual([[100, 100, true]]);
    expect(controller.view.pan).toBe(0);
  });

  it('ignores a click that a tool has handled', () => {
    const { host, firePointer, listener } = setup();
    host.addEventListener('pointerup', (event) => event.preventDefault(), { capture: true });
    firePointer('pointerdown', 100, 100);
    firePointer('pointerup', 100, 100, { cancelable: true });
    expect(listener.onClick).not.toHaveBeenCalled();
  });

  it.each([{ button: 2 }, { shiftKey: true }])(
    'slides with %o so that the pressed point stays under the pointer',
    async (modifier) => {
      const { controller, firePointer } = setup();
      firePointer('pointerdown', 250, 250, modifier);
      await waitForPick();
      firePointer('pointermove', 350, 250, modifier);
      // The pointer moves by 100 of 500 pixels. The wall is at 8 m, and the field of view is 60 degrees.
      expect(controller.view.position[0]).toBeCloseTo((-2 * 8 * Math.tan(Math.PI / 6)) / 5);
      expect(controller.view.position[1]).toBeCloseTo(0);
    },
  );

  it('moves towards the point between two fingers', async () => {
    const { controller, firePointer } = setup();
    firePointer('pointerdown', 200, 250);
    firePointer('pointerdown', 300, 250, { pointerId: 2 });
    await waitForPick();
    firePointer('pointermove', 150, 250);
    firePointer('pointermove', 350, 250, { pointerId: 2 });
    expect(distanceBetween(controller.view.position, wall)).toBeCloseTo(4, 1);
  });

  it('moves towards the point under the wheel and picks that point once per gesture', async () => {
    const { controller, host, listener } = setup();
    fireEvent.wheel(host, { deltaY: -100 });
    fireEvent.wheel(host, { deltaY: -100 });
    await vi.waitFor(() => expect(listener.onChange).toHaveBeenCalledTimes(2));
    expect(listener.pointAt).toHaveBeenCalledTimes(1);
    expect(controller.view.position[1]).toBeGreaterThan(1);
    expect(controller.view.position[1]).toBeLessThan(8);
  });

  it('orbits the pressed point', async () => {
    const { controller, firePointer } = setup();
    controller.mode = 'orbit';
    firePointer('pointerdown', 250, 250);
    await waitForPick();
    firePointer('pointermove', 350, 250);
    expect(distanceBetween(controller.view.position, wall)).toBeCloseTo(8);
    expect(controller.view.pan).toBeCloseTo(35);
  });

  it('ignores input after the listener is removed', () => {
    const { controller, firePointer, stop, host } = setup();
    stop();
    firePointer('pointerdown', 100, 100);
    firePointer('pointermove', 200, 100);
    fireEvent.keyDown(host, { key: 'w' });
    expect([controller.view.pan, controller.moving]).toEqual([0, false]);
  });
});

describe('keys of a walk', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());
  const release = (host: HTMLElement, key: string) => {
    fireEvent.keyUp(host, { key });
    vi.advanceTimersByTime(100);
  };
  const runFrames = (controller: EasedCameraController) => {
    controller.step(0);
    controller.step(100);
  };

  it.each([
    ['w', 1, 0.22],
    ['ArrowUp', 1, 0.22],
    ['s', 1, -0.22],
    ['d', 0, 0.22],
    ['a', 0, -0.22],
    ['e', 2, 0.22],
    ['PageDown', 2, -0.22],
  ] as const)(
    'moves with %s along axis %i while the key is held, four times as fast with Shift',
    (key, axis, metres) => {
      const { controller, host } = setup();
      const before = controller.view.position[axis];
      fireEvent.keyDown(host, { key });
      runFrames(controller);
      expect(controller.view.position[axis] - before).toBeCloseTo(metres);
      fireEvent.keyDown(host, { key, shiftKey: true });
      controller.step(200);
      expect(controller.view.position[axis] - before).toBeCloseTo(metres * 5);
      release(host, key);
      expect(controller.moving).toBe(false);
    },
  );

  it('turns or orbits with the arrow keys', () => {
    const { controller, host } = setup();
    fireEvent.keyDown(host, { key: 'ArrowRight' });
    runFrames(controller);
    expect(controller.view.pan).toBeCloseTo(6);
    release(host, 'ArrowRight');
    controller.mode = 'orbit';
    const distance = distanceBetween(controller.view.position, controller.target);
    fireEvent.keyDown(host, { key: 'ArrowLeft' });
    runFrames(controller);
    expect(controller.view.pan).toBeCloseTo(12);
    expect(distanceBetween(controller.view.position, controller.target)).toBeCloseTo(distance);
  });

  it('treats a press without duration, as from an on-screen keyboard, as a press of 100 ms', () => {
    const { controller, host } = setup();
    const press = () => {
      fireEvent.keyDown(host, { key: 'w' });
      fireEvent.keyUp(host, { key: 'w' });
    };
    press();
    expect(controller.moving).toBe(true);
    runFrames(controller);
    press();
    vi.advanceTimersByTime(99);
    expect(controller.moving).toBe(true);
    vi.advanceTimersByTime(1);
    expect(controller.moving).toBe(false);
    expect(controller.view.position[1]).toBeGreaterThan(0.2);
  });

  it('stops when the host loses the focus and hides letters from the page', () => {
    const { controller, host, listener } = setup();
    const onKeyDown = vi.fn();
    document.body.addEventListener('keydown', onKeyDown, { once: false });
    fireEvent.keyDown(host, { key: 'w', ctrlKey: true });
    expect([controller.moving, onKeyDown.mock.calls.length]).toEqual([false, 1]);
    fireEvent.keyDown(host, { key: 'w' });
    expect([controller.moving, onKeyDown.mock.calls.length]).toEqual([true, 1]);
    fireEvent.focusOut(host);
    expect(controller.moving).toBe(false);
    fireEvent.keyDown(host, { key: 'Home' });
    expect(listener.onHome).toHaveBeenCalledTimes(1);
    document.body.removeEventListener('keydown', onKeyDown);
  });
});
