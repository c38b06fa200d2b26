import { fireEvent } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { distanceBetween, type Point3 } from '#core';
import { EasedCameraController } from './eased-camera-controller.ts';

const wall: Point3 = [0, 8, 1.7];
const hosts: HTMLElement[] = [];
afterEach(() => hosts.splice(0).forEach((host) => host.remove()));

/** A host of 500 pixels a side, in front of a wall at eight metres. */
function setup(pointAt: (x: number, y: number) => Promise<Point3 | undefined> = async () => wall) {
  const walk = new EasedCameraController({ position: [0, 0, 1.7], pan: 0, tilt: 0, fov: 60 });
  const host = document.createElement('div');
  host.tabIndex = 0;
  Object.defineProperty(host, 'clientHeight', { value: 500 });
  host.setPointerCapture = () => undefined;
  host.hasPointerCapture = () => true;
  document.body.append(host);
  hosts.push(host);
  const listener = { pointAt: vi.fn(pointAt), changed: vi.fn(), home: vi.fn(), clicked: vi.fn() };
  const end = walk.listen(host, listener);
  const point = (
    type: string,
    clientX: number,
    clientY: number,
    more: MouseEventInit & { readonly pointerId?: number } = {},
  ) =>
    fireEvent(
      host,
      Object.assign(new MouseEvent(type, { button: 0, clientX, clientY, bubbles: true, ...more }), {
        pointerId: more.pointerId ?? 1,
      }),
    );
  return { walk, host, listener, end, point };
}
const soon = () =>
  Promise.resolve()
    .then(() => undefined)
    .then(() => undefined);

describe('pointers of a walk', () => {
  it('turns the head by a drag and keeps the position', () => {
    const { walk, point, listener } = setup();
    point('pointerdown', 100, 100);
    point('pointermove', 150, 100);
    point('pointerup', 150, 100);
    expect(walk.view.pan).toBeCloseTo(360 - 6);
    expect(walk.view.position).toEqual([0, 0, 1.7]);
    expect(listener.clicked).not.toHaveBeenCalled();
  });

  it('reports a click, with Ctrl as addition', () => {
    const { point, listener, walk } = setup();
    point('pointerdown', 100, 100);
    point('pointermove', 102, 101);
    point('pointerup', 102, 101, { ctrlKey: true });
    expect(listener.clicked.mock.calls).toEqual([[100, 100, true]]);
    expect(walk.view.pan).toBe(0);
  });

  it('ignores a click that a tool has handled', () => {
    const { host, point, listener } = setup();
    host.addEventListener('pointerup', (event) => event.preventDefault(), { capture: true });
    point('pointerdown', 100, 100);
    point('pointerup', 100, 100, { cancelable: true });
    expect(listener.clicked).not.toHaveBeenCalled();
  });

  it.each([{ button: 2 }, { shiftKey: true }])(
    'slides by %o so that the grabbed point stays under the pointer',
    async (how) => {
      const { walk, point } = setup();
      point('pointerdown', 250, 250, how);
      await soon();
      point('pointermove', 350, 250, how);
      // A hundred of 500 pixels, at 8 m and 60 degrees.
      expect(walk.view.position[0]).toBeCloseTo((-2 * 8 * Math.tan(Math.PI / 6)) / 5);
      expect(walk.view.position[1]).toBeCloseTo(0);
    },
  );

  it('moves towards the point between two fingers', async () => {
    const { walk, point } = setup();
    point('pointerdown', 200, 250);
    point('pointerdown', 300, 250, { pointerId: 2 });
    await soon();
    point('pointermove', 150, 250);
    point('pointermove', 350, 250, { pointerId: 2 });
    expect(distanceBetween(walk.view.position, wall)).toBeCloseTo(4, 1);
  });

  it('moves towards the point under the wheel from the first step on and picks once per gesture', async () => {
    const { walk, host, listener } = setup();
    fireEvent.wheel(host, { deltaY: -100 });
    fireEvent.wheel(host, { deltaY: -100 });
    await vi.waitFor(() => expect(listener.changed).toHaveBeenCalledTimes(2));
    expect(listener.pointAt).toHaveBeenCalledTimes(1);
    expect(walk.view.position[1]).toBeGreaterThan(1);
    expect(walk.view.position[1]).toBeLessThan(8);
  });

  it('orbits the grabbed point', async () => {
    const { walk, point } = setup();
    walk.mode = 'orbit';
    point('pointerdown', 250, 250);
    await soon();
    point('pointermove', 350, 250);
    expect(distanceBetween(walk.view.position, wall)).toBeCloseTo(8);
    expect(walk.view.pan).toBeCloseTo(35);
  });

  it('ignores input after the listener is removed', () => {
    const { walk, point, end, host } = setup();
    end();
    point('pointerdown', 100, 100);
    point('pointermove', 200, 100);
    fireEvent.keyDown(host, { key: 'w' });
    expect([walk.view.pan, walk.moving]).toEqual([0, false]);
  });
});

describe('keys of a walk', () => {
  const goOn = (walk: EasedCameraController) => {
    walk.step(0);
    walk.step(100);
  };

  it.each([
    ['w', 1, 0.22],
    ['ArrowUp', 1, 0.22],
    ['s', 1, -0.22],
    ['d', 0, 0.22],
    ['a', 0, -0.22],
    ['e', 2, 0.22],
    ['PageDown', 2, -0.22],
  ] as const)('%s moves along axis %i while it is held, four times as far with Shift', (key, axis, metres) => {
    const { walk, host } = setup();
    const before = walk.view.position[axis];
    fireEvent.keyDown(host, { key });
    goOn(walk);
    expect(walk.view.position[axis] - before).toBeCloseTo(metres);
    fireEvent.keyDown(host, { key, shiftKey: true });
    walk.step(200);
    expect(walk.view.position[axis] - before).toBeCloseTo(metres * 5);
    fireEvent.keyUp(host, { key });
    expect(walk.moving).toBe(false);
  });

  it('turns by the arrows, or orbits', () => {
    const { walk, host } = setup();
    fireEvent.keyDown(host, { key: 'ArrowRight' });
    goOn(walk);
    expect(walk.view.pan).toBeCloseTo(6);
    fireEvent.keyUp(host, { key: 'ArrowRight' });
    walk.mode = 'orbit';
    const away = distanceBetween(walk.view.position, walk.target);
    fireEvent.keyDown(host, { key: 'ArrowLeft' });
    goOn(walk);
    expect(walk.view.pan).toBeCloseTo(12);
    expect(distanceBetween(walk.view.position, walk.target)).toBeCloseTo(away);
  });

  it('ends when the focus leaves, ignores browser shortcuts, and stops letters from reaching the page', () => {
    const { walk, host, listener } = setup();
    const onKeyDown = vi.fn();
    document.body.addEventListener('keydown', onKeyDown, { once: false });
    fireEvent.keyDown(host, { key: 'w', ctrlKey: true });
    expect([walk.moving, onKeyDown.mock.calls.length]).toEqual([false, 1]);
    fireEvent.keyDown(host, { key: 'w' });
    expect([walk.moving, onKeyDown.mock.calls.length]).toEqual([true, 1]);
    fireEvent.focusOut(host);
    expect(walk.moving).toBe(false);
    fireEvent.keyDown(host, { key: 'Home' });
    expect(listener.home).toHaveBeenCalledTimes(1);
    document.body.removeEventListener('keydown', onKeyDown);
  });
});
