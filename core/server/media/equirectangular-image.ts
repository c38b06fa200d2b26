import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { errorCodes } from '#core';
import { coreRefusal } from '#core/api';
import { invalidRequest, ServerError } from '../kernel/server-error.ts';

/**
 * The smallest and the widest picture that is taken, in pixels. The widest is what today's 72-megapixel cameras write,
 * with room.
 */
const narrowest = 1024;
export const widestPicture = 12_288;
/** How far width / height may lie from 2. */
const tolerance = 0.02;
export const pictureFormats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp']);

export interface EquirectangularImage {
  readonly bytes: Buffer;
  readonly format: 'jpeg' | 'png' | 'webp';
  /** After the orientation that the file's EXIF data ask for. */
  readonly width: number;
  readonly height: number;
}

/**
 * The decoder with our limits: refuses more pixels than the widest picture has, and a file that is cut short. `exact`:
 * values as they are in the file, no colour profile applied.
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
 * Looks at the head of a JPEG, PNG or WebP that should hold the whole sphere: twice as wide as high (2 % are forgiven),
 * 1,024 to 12,288 pixels wide. Throws `invalidRequest` with a sentence fit for the person who uploaded it. The pixels
 * are not decoded yet: a file that is cut short is found later, by `decoding`.
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
  if (width < narrowest || width > widestPicture) {
    throw invalidRequest(coreRefusal('core.refused.pictureWidth', { width, narrowest, widest: widestPicture }));
  }
  return { bytes, format: head.format as EquirectangularImage['format'], width, height };
}

/** Runs a step that decodes pixels; what fails in it is the file's fault and becomes a sentence. */
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
