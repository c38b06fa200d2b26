import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { itWithSampleData, samplePath } from '#core/testing/sample-data';
import { openFile } from './byte-source.ts';
import { openPoints } from './open-points.ts';
import { computeStatistics } from './point-statistics.ts';
import { ScanUnreadable } from './scan-unreadable.ts';

type ExpectedContent = readonly [
  format: string,
  declared: number,
  read: number,
  minimum: readonly number[],
  maximum: readonly number[],
];
const emptyFile = (format: string): ExpectedContent => [
  format,
  0,
  0,
  [Infinity, Infinity, Infinity],
  [-Infinity, -Infinity, -Infinity],
];
const bunny: ExpectedContent = ['E57', 30571, 30571, [-0.094689, 0.040011, -0.061873], [0.061009, 0.187321, 0.058799]];
const cube = (count: number): ExpectedContent => ['E57', count, count, [-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]];
const ellipsoid = (format: string): ExpectedContent => [
  format,
  100_000,
  100_000,
  [-8242746, 4966506, -50],
  [-8242446, 4966706, 50],
];
const points10 = (format: string): ExpectedContent => [
  format,
  1065,
  1065,
  [493994.87, 4877429.62, 123.93],
  [494993.68, 4878817.02, 178.73],
];
const onePoint = (format: string): ExpectedContent => [format, 1, 1, [1, 2, 3], [1, 2, 3]];
const noScan = /no readable points/;

/**
 * The expected content of every sample file, or the reason for its refusal. The content comes from another source, such
 * as the file's header, PDAL or the notes of libE57Format.
 */
const expected: Readonly<Record<string, ExpectedContent | RegExp>> = {
  'copc/ellipsoid-1.4.laz': ellipsoid('LAZ'),
  'copc/ellipsoid.copc.laz': ellipsoid('COPC'),
  'copc/ellipsoid.laz': ellipsoid('LAZ'),
  'e57-edge/3rdParty/las2e57/ColourRepresentation.e57': cube(153),
  'e57-edge/reference/bunnyDouble.e57': bunny,
  'e57-edge/reference/bunnyInt32.e57': bunny,
  'e57-edge/self/ColouredCubeDouble.e57': cube(7680),
  'e57-edge/self/ColouredCubeFloat.e57': cube(7680),
  'e57-edge/self/InvalidCVHeader.e57': emptyFile('E57'),
  'e57-edge/self/PinholeImageWithDistortionParameters.e57': emptyFile('E57'),
  'e57-edge/self/ZeroPoints.e57': emptyFile('E57'),
  'e57-edge/self/ZeroPointsInvalid.e57': emptyFile('E57'),
  'e57-edge/self/bad-crc.e57': /checksum of the page at byte 0 is wrong/,
  'e57-edge/self/empty.e57': emptyFile('E57'),
  'e57-edge/self/test filename äöü.e57': emptyFile('E57'),
  'e57-edge/self/测试点云.e57': emptyFile('E57'),
  'e57-rust/bunnyInt19.e57': bunny,
  'e57-rust/cartesian_invalid_state_single.e57': ['E57', 3, 1, [-1, -2, -3], [-1, -2, -3]],
  'e57-rust/corrupt_crc.e57': /checksum of the page at byte 33792 is wrong/,
  'e57-rust/empty.e57': emptyFile('E57'),
  'e57-rust/empty_pc.e57': emptyFile('E57'),
  'e57-rust/float_intensity_without_min_max.e57': ['E57', 1, 1, [1, 1, 1], [1, 1, 1]],
  'e57-rust/integer_intensity.e57': ['E57', 2, 2, [1.1, 2.2, 3.3], [4.4, 5.5, 6.6]],
  'e57-rust/las2e57_no_images_tag.e57': cube(153),
  'e57-rust/no_ext_namespace.e57': onePoint('E57'),
  'e57-rust/original_guids.e57': onePoint('E57'),
  'e57-rust/read_error.e57': ['E57', 2651, 2651, [0, 0, 0], [0, 0, 0]],
  'e57-rust/scaled_integer_intensity.e57': ['E57', 2, 2, [1.1, 2.2, 3.3], [4.4, 5.5, 6.6]],
  'e57-rust/tinyCartesianFloatRgb.e57': [
    'E57',
    2090,
    2090,
    [-9.77953, 4.513879, 295.524689],
    [-6.774238, 7.51546, 298.532166],
  ],
  'e57-rust/tiny_pc_and_images.e57': ['E57', 2, 2, [0, 0, 0], [1, 1, 1]],
  'e57-rust/tiny_pc_with_extension.e57': onePoint('E57'),
  'e57-rust/tiny_spherical.e57': ['E57', 360, 180, [0, -0.5, 0], [1, 0.5, 1]],
  'e57/pumpAVisualReferenceImage.e57': [
    'E57',
    155_201,
    155_201,
    [-2.903763, -5.301102, -1.899704],
    [1.721603, -0.792648, 1.843002],
  ],
  'laz-perf/1815.las': ['LAS', 1247, 1247, [2014000.418, 6493002.071, 87.959], [2014999.693, 6493999.93, 124.074]],
  'laz-perf/1815.laz': ['LAZ', 1247, 1247, [2014000.418, 6493002.071, 87.959], [2014999.693, 6493999.93, 124.074]],
  'laz-perf/extrabytes.las': ['LAS', 1065, 1065, [635619.85, 848899.7, 406.59], [638982.55, 853535.43, 586.38]],
  'laz-perf/extrabytes.laz': ['LAZ', 1065, 1065, [635619.85, 848899.7, 406.59], [638982.55, 853535.43, 586.38]],
  'laz-perf/no-points-1.3.las': emptyFile('LAS'),
  'laz-perf/no-points-1.3.laz': emptyFile('LAZ'),
  'laz-perf/point-color-time.las': points10('LAS'),
  'laz-perf/point-color-time.las.laz': points10('LAZ'),
  'laz-perf/point10-1.0.las': onePoint('LAS'),
  'laz-perf/point10-1.0.laz': onePoint('LAZ'),
  'laz-perf/point10-1.1.las': onePoint('LAS'),
  'laz-perf/point10-1.1.laz': onePoint('LAZ'),
  'laz-perf/point10-1.las.laz.raw': noScan,
  'laz-perf/point10-1.las.raw': noScan,
  'laz-perf/point10.las': points10('LAS'),
  'laz-perf/point10.las.laz': points10('LAZ'),
  'pdal/autzen_trim.laz': ['LAZ', 110_000, 110_000, [636001.76, 848935.2, 406.26], [637179.22, 849497.9, 520.51]],
  'pdal/epsg_4326.las': ['LAS', 5380, 5380, [-94.683465, 31.036734, 39.081], [-94.660631, 31.047329, 78.119]],
  'pdal/lone-star.copc.laz': [
    'COPC',
    518_862,
    518_862,
    [515368.602, 4918340.364, 2322.896],
    [515401.043, 4918381.124, 2338.576],
  ],
  'pdal/mvk-thin.las': ['LAS', 6280, 6280, [2045001.76, 1267501.19, 95.79], [2049993.92, 1272499.79, 228.73]],
  'pdal/warsaw_small.las': ['LAS', 3000, 3000, [639913.26, 485143.14, 84.7], [639946.75, 485175.91, 104.55]],
};

describe('sample point clouds', () => {
  for (const [name, expectation] of Object.entries(expected))
    itWithSampleData(
      `${name}: has the expected content or is refused for the expected reason`,
      [`pointcloud/${name}`],
      async ([sample]) => {
        const file = await openFile(sample);
        try {
          if (expectation instanceof RegExp) {
            const error = await openPoints(file)
              .then(computeStatistics)
              .catch((reason: unknown) => reason);
            expect(error).toBeInstanceOf(ScanUnreadable);
            expect(String(error)).toMatch(expectation);
            return;
          }
          const [format, declaredCount, readCount, minimum, maximum] = expectation;
          const pointFile = await openPoints(file);
          const statistics = await computeStatistics(pointFile);
          expect([pointFile.format, pointFile.count, statistics.count]).toEqual([format, declaredCount, readCount]);
          for (let axis = 0; axis < 3 && readCount > 0; axis++) {
            expect(statistics.minimum[axis]).toBeCloseTo(minimum[axis]!, 2);
            expect(statistics.maximum[axis]).toBeCloseTo(maximum[axis]!, 2);
          }
        } finally {
          await file.close();
        }
      },
    );

  const all = Object.keys(expected).map((name) => `pointcloud/${name}`);
  itWithSampleData('covers every sample file', all, () => {
    const files = readdirSync(samplePath('pointcloud'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(e57|la[sz](\.laz)?|raw)$/.test(name),
    );
    expect(files.map((name) => name.split(path.sep).join('/')).sort()).toEqual(Object.keys(expected).sort());
  });

  const pairs = [
    ['1815.las', '1815.laz'],
    ['extrabytes.las', 'extrabytes.laz'],
    ['point-color-time.las', 'point-color-time.las.laz'],
    ['point10.las', 'point10.las.laz'],
  ].map((pair) => pair.map((name) => `pointcloud/laz-perf/${name}`));
  itWithSampleData('reads the same points from a LAS file and from its LAZ copy', pairs.flat(), async () => {
    for (const pair of pairs) {
      const [a, b] = await Promise.all(
        pair.map(async (name) => {
          const file = await openFile(samplePath(name));
          const batches = [];
          for await (const batch of (await openPoints(file)).readPoints()) batches.push(batch);
          await file.close();
          return batches;
        }),
      );
      expect(b).toEqual(a);
    }
  });
});
