import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { normalizePan } from '#core';
import type { FileStore } from '#core/server';

/** A range image in memory. */
export interface RangePicture {
  /** Returns the range (metres) in a direction (degrees). 0 is no return. */
  at(pan: number, tilt: number): number;
}

/** @param heading direction of the image's centre, degrees */
export async function readRangePicture(files: FileStore, id: string, heading: number): Promise<RangePicture> {
  const { data, info } = await sharp(await buffer(await files.read(id)))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    at: (pan, tilt) => {
      const column = Math.min(info.width - 1, Math.floor((normalizePan(pan - heading + 180) / 360) * info.width));
      const row = Math.min(info.height - 1, Math.floor(((90 - tilt) / 180) * info.height));
      const offset = (row * info.width + column) * info.channels;
      return ((data[offset] ?? 0) * 256 + (data[offset + 1] ?? 0)) / 1000;
    },
  };
}
