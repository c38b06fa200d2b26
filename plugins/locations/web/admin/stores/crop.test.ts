import { describe, expect, it } from 'vitest';
import { centredCrop, dragCrop, toCropRect } from './crop.ts';

const navigation = { width: 1980, height: 1080 };
const icon = { width: 250, height: 250 };

describe('crop', () => {
  it('[ADM-10] keeps as much of the picture as the shape allows', () => {
    expect(toCropRect({ width: 4000, height: 1080 }, navigation, centredCrop)).toEqual({
      left: 1010,
      top: 0,
      ...navigation,
    });
    expect(toCropRect({ width: 100, height: 300 }, icon, { zoom: 1, x: 0.5, y: 1 })).toEqual({
      left: 0,
      top: 200,
      width: 100,
      height: 100,
    });
  });

  it('keeps a smaller part of the picture at a larger zoom', () => {
    expect(toCropRect({ width: 1000, height: 500 }, icon, { zoom: 2, x: 0, y: 0.5 })).toEqual({
      left: 0,
      top: 125,
      width: 250,
      height: 250,
    });
  });

  it('moves with a drag and stays within the picture', () => {
    const picture = { width: 1000, height: 500 };
    const draggedCrop = dragCrop(picture, icon, centredCrop, 0.1, 5);
    expect(draggedCrop).toEqual({ zoom: 1, x: 0.4, y: 0.5 });
    expect(toCropRect(picture, icon, draggedCrop).left).toBe(200);
    expect(dragCrop(picture, icon, centredCrop, -9, 0).x).toBe(1);
  });
});
