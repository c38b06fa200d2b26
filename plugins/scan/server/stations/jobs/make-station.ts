import sharp from 'sharp';
import type { Point3 } from '#core';
import type { StationReport } from '../../../contract/api/admin.ts';
import type { E57ScanDescription } from '../../adapters/e57/e57-description.ts';
import type { E57File } from '../../adapters/e57/open-e57.ts';
import { drawGrid } from './draw-grid.ts';
import { findPhoto, drawPhotoPanorama } from './draw-photo-panorama.ts';
import { readGrid } from './read-grid.ts';
import { computeHeading, toRotation } from './scan-frame.ts';
import { estimateNoise } from './scanner-noise.ts';
import { surveyScan, type StationSkipReason } from './survey-scan.ts';
import { createYield } from './yield-to-event-loop.ts';

/** A station that was created from a scan, in the import's frame. */
export interface ImportedStation {
  readonly position: Point3;
  readonly heading: number;
  readonly sigma: number;
  /** The source of the panorama. */
  readonly pictureSource: NonNullable<StationReport['pictureSource']>;
  /** Number of pixels whose return is beyond the maximum range (65.535 m). */
  readonly tooFarPixels: number;
  /** Equirectangular JPEG. */
  readonly panorama: Buffer;
  /** Equirectangular PNG in the format that `tileRange` reads. */
  readonly range: Buffer;
}

/**
 * Creates a station from a scan or returns the reason why it cannot. Reads the scan twice and calls `onRead` with the
 * number of points of each batch. Throws the reason of `signal` if it is aborted.
 */
export async function createStation(
  file: E57File,
  scan: E57ScanDescription,
  onRead: (points: number) => Promise<void>,
  signal?: AbortSignal,
): Promise<ImportedStation | StationSkipReason> {
  const yieldNow = createYield(signal);
  const survey = await surveyScan(file, scan, onRead);
  if (typeof survey === 'string') return survey;
  const rotation = toRotation(scan.pose);
  const heading = computeHeading(rotation);
  const { width } = survey;
  const height = width / 2;
  const grid = await readGrid(file, scan, survey, { width, height, rotation, heading }, onRead);
  const sigma = estimateNoise(grid, width);
  const scanImage = await drawGrid(grid, survey, yieldNow);
  const image = findPhoto(file, scan);
  const photo = image && (await drawPhotoPanorama(file, image, heading, scanImage, yieldNow));
  const rangePixels = Buffer.alloc(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (pixel % width === 0) await yieldNow();
    const millimetres = scanImage.ranges[pixel]!;
    rangePixels[3 * pixel] = millimetres >> 8;
    rangePixels[3 * pixel + 1] = millimetres & 255;
  }
  const panorama = photo ?? { pixels: scanImage.colors, width };
  return {
    position: scan.pose?.translation ?? [0, 0, 0],
    heading,
    sigma,
    pictureSource: photo ? 'PHOTO' : survey.colored ? 'COLOURS' : survey.intensity ? 'INTENSITY' : 'RANGES',
    tooFarPixels: scanImage.tooFarPixels,
    panorama: await sharp(panorama.pixels, { raw: { width: panorama.width, height: panorama.width / 2, channels: 3 } })
      .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
      .toBuffer(),
    range: await sharp(rangePixels, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 2 })
      .toBuffer(),
  };
}
