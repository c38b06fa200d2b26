import { afterEach, describe, expect, it } from 'vitest';
import type { PanoramaPin } from '#plugins/tour';
import { createCamera } from '../math/camera.ts';
import { PinLayer } from './pin-layer.ts';

const pinAt = (pan: number): PanoramaPin => ({
  id: String(pan),
  pan,
  tilt: 0,
  label: String(pan),
  className: 'pin',
  render: () => undefined,
  onActivate: () => undefined,
});
const readOrder = ({ element }: PinLayer): readonly (string | null)[] =>
  [...element.children].map((child) => child.getAttribute('aria-label'));

describe('PinLayer', () => {
  afterEach(() => document.body.replaceChildren());

  it('inserts new pins to the left of existing ones', () => {
    const layer = new PinLayer();
    layer.set([pinAt(20), pinAt(40)]);
    layer.set([pinAt(40), pinAt(20), pinAt(-100), pinAt(-120)]);
    expect(readOrder(layer)).toEqual(['-120', '-100', '20', '40']);
  });

  it.each([
    [
      [20, 40],
      [30, -10, 170, -170],
    ],
    [
      [-170, -20, 100],
      [100, -20],
    ],
    [[5], [90, 179, -90, 5]],
    [[10, 20, 30], []],
  ])('brings %j to the order of %j', (before, after) => {
    const layer = new PinLayer();
    layer.set(before.map(pinAt));
    layer.set(after.map(pinAt));
    expect(readOrder(layer)).toEqual([...after].sort((a, b) => a - b).map(String));
  });

  it('keeps the focus of a pin that moves in the order', () => {
    const layer = new PinLayer();
    document.body.append(layer.element);
    layer.set([pinAt(20), pinAt(40), pinAt(60)]);
    const focused = layer.element.querySelector<HTMLButtonElement>('[aria-label="20"]');
    focused?.focus();
    layer.set([pinAt(20), pinAt(40), pinAt(60), pinAt(-50), pinAt(-60), pinAt(-70)]);
    expect(document.activeElement).toBe(focused);
  });

  it.each(['removed', 'turned out of sight'])('moves the focus of a pin that is %s to the picture', (how) => {
    const layer = new PinLayer();
    const picture = document.createElement('div');
    picture.tabIndex = 0;
    picture.append(layer.element);
    document.body.append(picture);
    layer.set([pinAt(20), pinAt(40)]);
    const facing = (pan: number) => layer.place(createCamera({ pan, tilt: 0, fov: 75 }, 800, 600), pan);
    facing(20);
    layer.element.querySelector<HTMLButtonElement>('[aria-label="20"]')?.focus();
    if (how === 'removed') layer.set([pinAt(40)]);
    else facing(200);
    expect(document.activeElement).toBe(picture);
  });
});
