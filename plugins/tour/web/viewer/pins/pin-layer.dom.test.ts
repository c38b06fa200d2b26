import { afterEach, describe, expect, it } from 'vitest';
import type { PanoramaPin } from '#plugins/tour';
import { createCamera } from '../math/camera.ts';
import { PinLayer } from './pin-layer.ts';

const buildPin = (pan: number): PanoramaPin => ({
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
    layer.set([buildPin(20), buildPin(40)]);
    layer.set([buildPin(40), buildPin(20), buildPin(-100), buildPin(-120)]);
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
  ])('replaces the pins %j by the sorted pins %j', (before, after) => {
    const layer = new PinLayer();
    layer.set(before.map(buildPin));
    layer.set(after.map(buildPin));
    expect(readOrder(layer)).toEqual([...after].sort((a, b) => a - b).map(String));
  });

  it('keeps the focus on a pin whose place in the tab order changes', () => {
    const layer = new PinLayer();
    document.body.append(layer.element);
    layer.set([buildPin(20), buildPin(40), buildPin(60)]);
    const focusedButton = layer.element.querySelector<HTMLButtonElement>('[aria-label="20"]');
    focusedButton?.focus();
    layer.set([buildPin(20), buildPin(40), buildPin(60), buildPin(-50), buildPin(-60), buildPin(-70)]);
    expect(document.activeElement).toBe(focusedButton);
  });

  it.each(['removed', 'turned out of sight'])('moves the focus from a pin that is %s to the picture', (change) => {
    const layer = new PinLayer();
    const picture = document.createElement('div');
    picture.tabIndex = 0;
    picture.append(layer.element);
    document.body.append(picture);
    layer.set([buildPin(20), buildPin(40)]);
    const faceDirection = (pan: number) => layer.layOut(createCamera({ pan, tilt: 0, fov: 75 }, 800, 600), pan);
    faceDirection(20);
    layer.element.querySelector<HTMLButtonElement>('[aria-label="20"]')?.focus();
    if (change === 'removed') layer.set([buildPin(40)]);
    else faceDirection(200);
    expect(document.activeElement).toBe(picture);
  });

  it('removes pins from the tab order while their centre is beyond the edge', () => {
    const layer = new PinLayer();
    document.body.append(layer.element);
    layer.set([buildPin(20)]);
    const pin = layer.element.querySelector<HTMLButtonElement>('[aria-label="20"]')!;
    const readTab = (pan: number) => {
      // The camera sees 91 degrees in width.
      layer.layOut(createCamera({ pan, tilt: 0, fov: 75 }, 800, 600), pan);
      return [pin.style.visibility, pin.tabIndex];
    };
    expect(readTab(20)).toEqual(['visible', 0]);
    expect(readTab(20 - 47)).toEqual(['visible', -1]);
    expect(readTab(20 - 44)).toEqual(['visible', 0]);
  });
});
