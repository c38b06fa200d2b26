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
      const e57File = await openE57(file);
      const station = await createStation(e57File, e57File.scans[0]!, async () => undefined);
      await file.close();
      if (typeof station === 'string') {
        outcomes[name] = station;
        continue;
      }
      const { data, info } = await sharp(station.range).raw().toBuffer({ resolveWithObject: true });
      let returnCount = 0;
      for (let offset = 0; offset < data.length; offset += 3) if (data[offset]! + data[offset + 1]! > 0) returnCount++;
      // All points of the pump are within six metres. Its images come from the scanner and are not spherical.
      outcomes[name] = [
        station.pictureSource,
        info.width,
        returnCount > e57File.scans[0]!.count / 4,
        station.sigma < 0.02,
      ];
      const panorama = await sharp(station.panorama).metadata();
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
