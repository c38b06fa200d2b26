import type { Point } from '../plant/types.ts';
import { toDirection } from '../plant/vector.ts';

/**
 * The direction of pixel (x, y) of an equirectangular image in the site frame. The centre of the image is at `heading`
 * (degrees clockwise from north), columns run clockwise from left to right, and the top is the zenith.
 */
export function computePixelDirection(x: number, y: number, width: number, height: number, heading: number): Point {
  return toDirection(heading + ((x + 0.5) / width - 0.5) * 360, 90 - ((y + 0.5) / height) * 180);
}

/**
 * Extracts a perspective image from an equirectangular one with three bytes per pixel. Pan, tilt and the vertical field
 * of view are in degrees.
 */
export function extractPerspective(
  source: { readonly data: Uint8Array; readonly width: number; readonly height: number },
  heading: number,
  view: { readonly pan: number; readonly tilt: number; readonly fov: number },
  width: number,
  height: number,
): Buffer {
  const result = Buffer.alloc(width * height * 3);
  const radiansPerDegree = Math.PI / 180;
  const halfHeight = Math.tan((view.fov / 2) * radiansPerDegree);
  const [cosTilt, sinTilt] = [Math.cos(view.tilt * radiansPerDegree), Math.sin(view.tilt * radiansPerDegree)];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const right = (((x + 0.5) / width) * 2 - 1) * halfHeight * (width / height);
      const up = (1 - ((y + 0.5) / height) * 2) * halfHeight;
      const forward = cosTilt - up * sinTilt;
      const z = sinTilt + up * cosTilt;
      const pan = view.pan + Math.atan2(right, forward) / radiansPerDegree;
      const tilt = Math.atan2(z, Math.hypot(right, forward)) / radiansPerDegree;
      const u = (((((pan - heading) / 360 + 0.5) % 1) + 1) % 1) * source.width - 0.5;
      const v = Math.min(source.height - 1.001, Math.max(0, ((90 - tilt) / 180) * source.height - 0.5));
      const x0 = (Math.floor(u) + source.width) % source.width;
      const x1 = (x0 + 1) % source.width;
      const y0 = Math.floor(v);
      const fx = u - Math.floor(u);
      const fy = v - y0;
      for (let c = 0; c < 3; c++) {
        const getValue = (xx: number, yy: number): number => source.data[(yy * source.width + xx) * 3 + c]!;
        result[(y * width + x) * 3 + c] = Math.round(
          (getValue(x0, y0) * (1 - fx) + getValue(x1, y0) * fx) * (1 - fy) +
            (getValue(x0, y0 + 1) * (1 - fx) + getValue(x1, y0 + 1) * fx) * fy,
        );
      }
    }
  }
  return result;
}
