import sharp from 'sharp';
import { expect } from 'vitest';
import { itWithSampleData } from '#core/testing/sample-data';
import { openFile } from '../../adapters/byte-source.ts';
import { openE57 } from '../../adapters/e57/open-e57.ts';
import { createStation } from './make-station.ts';

const files = [
  'e57/pumpAVisualReferenceImage.e57',
  'e57-rust/tiny_spherical.e57',
  'e57-rust/bunnyInt19.e57',
  'e57-rust/tinyCartesianFloatRgb.e57',
  'e57-rust/tiny_pc_and_images.e57',
];

itWithSampleData(
  'creates stations from structured scans of real E57 files and reports why other scans create none',
  files.map((name) => `pointcloud/${name}`),
  async (paths) => {
    const outcomes: Record<string, unknown> = {};
    for (const [index, name] of files.entries()) {
      const file = await openFile(paths[index]!);
      const opened = await openE57(file);
      const made = await createStation(opened, opened.scans[0]!, async () => undefined);
      await file.close();
      if (typeof made === 'string') {
        outcomes[name] = made;
        continue;
      }
      const { data, info } = await sharp(made.range).raw().toBuffer({ resolveWithObject: true });
      let returns = 0;
      for (let at = 0; at < data.length; at += 3) if (data[at]! + data[at + 1]! > 0) returns++;
      // All points of the pump are within six metres. Its images come from the scanner and are not spherical.
      outcomes[name] = [made.picture, info.width, returns > opened.scans[0]!.count / 4, made.sigma < 0.02];
      const panorama = await sharp(made.panorama).metadata();
      expect([panorama.width, panorama.height]).toEqual([info.width, info.height]);
    }
    expect(outcomes).toEqual({
      'e57/pumpAVisualReferenceImage.e57': ['COLOURS', 5326, true, true],
      'e57-rust/tiny_spherical.e57': 'UNSTRUCTURED',
      'e57-rust/bunnyInt19.e57': 'UNSTRUCTURED',
      'e57-rust/tinyCartesianFloatRgb.e57': 'UNSTRUCTURED',
      'e57-rust/tiny_pc_and_images.e57': 'UNSTRUCTURED',
    });
  },
);
