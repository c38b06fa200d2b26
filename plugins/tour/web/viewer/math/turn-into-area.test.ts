import { describe, expect, it } from 'vitest';
import { toDirection } from '#core';
import { createCamera, projectDirection } from './camera.ts';
import { turnIntoArea } from './turn-into-area.ts';

const size = { width: 1000, height: 600 };
const view = { pan: 30, tilt: 0, fov: 75 };
const besidePanel = { left: 0, top: 48, width: 640, height: 552 };

describe('turnIntoArea', () => {
  it('keeps the view if the target is in the area', () => {
    expect(turnIntoArea({ pan: 20, tilt: 5 }, view, size, besidePanel)).toBeUndefined();
  });

  it.each([
    { target: { pan: 60, tilt: 0 }, area: besidePanel },
    { target: { pan: 30, tilt: 0 }, area: { left: 0, top: 48, width: 1000, height: 240 } },
    { target: { pan: 210, tilt: -20 }, area: besidePanel },
    { target: { pan: 45, tilt: 35 }, area: { left: 200, top: 300, width: 800, height: 300 } },
  ])('turns the target $target into the area $area', ({ target, area }) => {
    const turnedView = { ...view, ...turnIntoArea(target, view, size, area) };
    const pixel = projectDirection(
      createCamera(turnedView, size.width, size.height),
      toDirection(target.pan, target.tilt),
    );
    expect(Math.abs((pixel?.x ?? NaN) - (area.left + area.width / 2))).toBeLessThan(area.width / 8);
    expect(Math.abs((pixel?.y ?? NaN) - (area.top + area.height / 2))).toBeLessThan(area.height / 8);
  });

  it('keeps the view if nothing of the picture is free', () => {
    expect(turnIntoArea({ pan: 210, tilt: 0 }, view, size, { left: 0, top: 0, width: 0, height: 0 })).toBeUndefined();
  });
});
