import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { errorCodes } from '#core';
import { coreRefusal } from '#core/api';
import { invalidRequest, ServerError } from '../kernel/server-error.ts';

/** Accepted widths in pixels. The maximum covers today's 72-megapixel cameras with margin. */
const minWidth = 1024;
export const widestPicture = 12_288;
/** Tolerance of width / height around 2. */
const tolerance = 0.02;
export const pictureFormats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp']);

export interface EquirectangularImage {
  readonly bytes: Buffer;
  readonly format: 'jpeg' | 'png' | 'webp';
  /** After applying the EXIF orientation. */
  readonly width: number;
  readonly height: number;
}

/**
 * The decoder with our limits: refuses more pixels than the widest panorama, and truncated files. `exact`: raw values,
 * without applying a colour profile.
 */
export function decode(source: Buffer | string, exact = false): Sharp {
  return sharp(source, {
    limitInputPixels: Math.ceil(widestPicture * (widestPicture / 2) * (1 + tolerance)),
    failOn: 'warning',
    autoOrient: true,
    ignoreIcc: exact,
  });
}

/**
 * Reads the header of a JPEG, PNG or WebP with a whole sphere: twice as wide as high (2 % tolerance), 1,024 to 12,288
 * pixels wide. Does not decode pixels: `decoding` finds truncated files later.
 *
 * @throws `invalidRequest` with a readable message
 */
export async function openEquirectangular(source: string | Uint8Array): Promise<EquirectangularImage> {
  const bytes =
    typeof source === 'string'
      ? await readFile(source)
      : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (bytes.length === 0) throw unreadable();
  const head = await decode(bytes)
    .metadata()
    .catch((error: unknown) => {
      throw /pixel limit/.test(String(error))
        ? invalidRequest(coreRefusal('core.refused.picturePixels', { widest: widestPicture }))
        : unreadable();
    });
  if (!pictureFormats.has(head.format)) throw unreadable();
  const { width, height } = head.autoOrient;
  if (Math.abs(width / height - 2) > 2 * tolerance) {
    throw invalidRequest(coreRefusal('core.refused.pictureShape', { width, height }));
  }
  if (width < minWidth || width > widestPicture) {
    throw invalidRequest(
      coreRefusal('core.refused.pictureWidth', { width, narrowest: minWidth, widest: widestPicture }),
    );
  }
  return { bytes, format: head.format as EquirectangularImage['format'], width, height };
}

/** Runs a step that decodes pixels, and reports its failure as an error of the file. */
export async function decoding<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw new ServerError(400, errorCodes.invalidRequest, coreRefusal('core.refused.pictureDamaged'), { cause: error });
  }
}

function unreadable(): Error {
  return invalidRequest(coreRefusal('core.refused.pictureUnreadable'));
}
