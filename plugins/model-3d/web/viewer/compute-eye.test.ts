import { describe, expect, it } from 'vitest';
import { distanceBetween, minus, toRadians, toDirection, type Point3 } from '#core';
import { computeEye, searchClearEye } from './compute-eye.ts';

const dot = (a: Point3, b: Point3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const centre: Point3 = [10, 10, 2];
const radius = 3;
const view = { position: [0, 0, 0] as const, pan: 40, tilt: 0, fov: 60 };

describe('computeEye', () => {
  it.each([
    ['a wide window', { width: 1600, height: 1000 }, undefined],
    ['a tall window', { width: 500, height: 1000 }, undefined],
    ['the upper half of a phone', { width: 390, height: 844 }, { left: 0, top: 48, width: 390, height: 300 }],
    ['the left part of a desktop', { width: 1440, height: 900 }, { left: 64, top: 0, width: 900, height: 900 }],
  ])('shows a sphere completely, at the centre of %s', (_, size, area = { left: 0, top: 0, ...size }) => {
    const { position, pan, tilt } = computeEye(centre, radius, view, size, area);
    const halfHeight = Math.tan(toRadians(view.fov) / 2);
    const project = (point: Point3) => {
      const ray = minus(point, position);
      const depth = dot(ray, toDirection(pan, tilt));
      const pixels = size.height / (2 * halfHeight);
      return {
        x: size.width / 2 + (dot(ray, toDirection(pan + 90, 0)) / depth) * pixels,
        y: size.height / 2 - (dot(ray, toDirection(pan, tilt + 90)) / depth) * pixels,
      };
    };
    expect(project(centre).x).toBeCloseTo(area.left + area.width / 2, 6);
    expect(project(centre).y).toBeCloseTo(area.top + area.height / 2, 6);
    for (let index = 0; index < 200; index += 1) {
      const normal = toDirection(index * 137.5, -90 + (index * 180) / 199);
      const { x, y } = project([
        centre[0] + normal[0] * radius,
        centre[1] + normal[1] * radius,
        centre[2] + normal[2] * radius,
      ]);
      expect(x).toBeGreaterThan(area.left);
      expect(x).toBeLessThan(area.left + area.width);
      expect(y).toBeGreaterThan(area.top);
      expect(y).toBeLessThan(area.top + area.height);
    }
    expect(distanceBetween(position, centre)).toBeLessThan(60);
  });
});

function findClearEye(...input: Parameters<typeof searchClearEye>): ReturnType<typeof computeEye> {
  const search = searchClearEye(...input);
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
  }
}

describe('searchClearEye', () => {
  const box = { min: [9, 9, 1], max: [11, 11, 3] } as const;
  const size = { width: 1000, height: 1000 };

  it('keeps the current direction if nothing hides the box', () => {
    expect(findClearEye(box, view, size, undefined, () => true)).toMatchObject({ pan: 40, tilt: -10 });
  });

  it('takes the nearest direction from which most of the box is visible', () => {
    // A wall west of the box hides it from there.
    const { position, pan } = findClearEye(box, view, size, undefined, (eye) => eye[0] > 10);
    expect([pan, position[0] > 10]).toEqual([-20, true]);
  });

  it('takes the direction from which the largest part is visible if most of it is hidden from everywhere', () => {
    const seesTop = (eye: Point3, point: Point3): boolean => eye[2] > 4.5 && point[0] > 10 && point[2] > 2;
    const { position, tilt } = findClearEye(box, view, size, undefined, seesTop);
    expect([tilt, position[2] > 4.5]).toEqual([-50, true]);
  });

  it('tests no point that cannot change the result', () => {
    let count = 0;
    const countTests = (isClear: (eye: Point3, point: Point3) => boolean, tilt = 0): number => {
      count = 0;
      findClearEye(box, { ...view, tilt }, size, undefined, (eye, point) => {
        count += 1;
        return isClear(eye, point);
      });
      return count;
    };
    expect(countTests(() => true)).toBe(7);
    expect(countTests((_, point) => point[0] > 10)).toBeLessThan(250);
    expect(countTests(() => false)).toBe(3 * 12 * 9);
    expect(countTests(() => false, -25)).toBe(2 * 12 * 9);
  });

  it('tests one direction at a time', () => {
    let count = 0;
    const search = searchClearEye(box, view, size, undefined, () => {
      count += 1;
      return false;
    });
    search.next();
    expect(count).toBe(9);
    search.next();
    expect(count).toBe(18);
  });
});
