import { expect, it } from 'vitest';
import { toDirection } from '#core';
import type { PanoramaShape } from '#plugins/tour';
import { createCamera } from '../math/camera.ts';
import { ShapeLayer } from './shape-layer.ts';

const shape: PanoramaShape = {
  id: 'drip-pan',
  name: 'Drip pan',
  label: 'Drip pan of V-101',
  className: '',
  closed: true,
  corners: [
    [-5, -5],
    [5, -5],
    [0, 5],
  ].map(([pan, tilt]) => toDirection(pan!, tilt!)),
  onActivate: () => undefined,
};

const turnTo = (layer: ShapeLayer, pan: number): void =>
  layer.layOut(createCamera({ pan, tilt: 0, fov: 60 }, 800, 600));

it('removes outlines that are out of view from the tab order', () => {
  const layer = new ShapeLayer();
  layer.set([shape]);
  const getTabStop = () => layer.element.querySelector('[role=button]')?.getAttribute('tabindex');
  expect(getTabStop()).toBe('-1');
  turnTo(layer, 0);
  expect(getTabStop()).toBe('0');
  turnTo(layer, 180);
  expect(getTabStop()).toBe('-1');
  layer.set([{ ...shape, label: 'Drip pan' }]);
  expect(getTabStop()).toBe('-1');
});

it('has no tab stop for outlines without an action', () => {
  const layer = new ShapeLayer();
  const { onActivate: _, ...inactive } = shape;
  layer.set([inactive]);
  turnTo(layer, 0);
  expect(layer.element.querySelector('[tabindex]')).toBeNull();
});
