import { clamp } from '#core';

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The part of a picture that is kept. */
export interface Crop {
  /** Magnification. 1 keeps the largest part that has the required shape. */
  readonly zoom: number;
  /** Position of the part: 0 is at the left or upper edge of the picture, 1 at the right or lower edge. */
  readonly x: number;
  readonly y: number;
}

export const centredCrop: Crop = { zoom: 1, x: 0.5, y: 0.5 };
export const maxCropZoom = 4;

/** The kept part in pixels of the picture, in the shape of `size`. */
export function toCropRect(
  picture: PixelSize,
  size: PixelSize,
  { zoom, x, y }: Crop,
): PixelSize & { readonly left: number; readonly top: number } {
  const scale = Math.min(picture.width / size.width, picture.height / size.height) / zoom;
  const [width, height] = [size.width * scale, size.height * scale];
  return { left: (picture.width - width) * x, top: (picture.height - height) * y, width, height };
}

/** Moves the picture under the frame by fractions of the frame, as a drag does. */
export function dragCrop(picture: PixelSize, size: PixelSize, crop: Crop, right: number, down: number): Crop {
  const { width, height } = toCropRect(picture, size, crop);
  const shift = (fraction: number, distance: number, range: number): number =>
    range < 1 ? fraction : clamp(fraction - distance / range, 0, 1);
  return {
    ...crop,
    x: shift(crop.x, right * width, picture.width - width),
    y: shift(crop.y, down * height, picture.height - height),
  };
}

/**
 * Decodes a picture upright. Undefined if the browser cannot, such as for a damaged file. The server reports the
 * reason.
 */
export async function decodePicture(file: File): Promise<ImageBitmap | undefined> {
  if (typeof createImageBitmap !== 'function') return undefined;
  return createImageBitmap(file).catch(() => undefined);
}
