import { describe, expect, it } from 'vitest';
import { defaultSiteRecord, type Point3, type SourceChoice } from '#core';
import { itWithSampleData } from '#core/testing/sample-data';
import { openBytes, openFile, type ByteSource } from '../adapters/byte-source.ts';
import { openPoints } from '../adapters/open-points.ts';
import { computeStatistics } from '../adapters/point-statistics.ts';
import { ScanUnreadable } from '../adapters/scan-unreadable.ts';
import { writeE57 } from '../../testing/server/write-e57.ts';
import { buildGeoKeyRecords, writeLas, buildWktRecord, type LasInput } from '../../testing/server/write-las.ts';
import { toMetres } from './jobs/convert-sources.ts';

const local = defaultSiteRecord('UTC').frame;

async function convert(bytes: ByteSource, choice: SourceChoice = 'FILE', frame: { crs: number | 'local' } = local) {
  const source = await openPoints(bytes);
  const metreSource = await toMetres({ name: 'file', source, readCount: 0 }, choice, frame);
  const { minimum, maximum } = await computeStatistics(metreSource.source);
  return { ...metreSource, minimum, size: minimum.map((value, axis) => maximum[axis]! - value) };
}

const box: readonly Point3[] = [
  [1000, 2000, 10],
  [1100, 2050, 30],
];
const las = (records: NonNullable<LasInput['records']> = [], positions = box, scale = 0.001): ByteSource =>
  openBytes(writeLas({ positions, records, scale }));
const catchRefusal = (promise: Promise<unknown>): Promise<ScanUnreadable> =>
  promise.then(
    () => {
      throw new Error('It was not refused.');
    },
    (error: unknown) => {
      if (error instanceof ScanUnreadable) return error;
      throw error;
    },
  );

const buildProjectedWkt = (unit: string, name = 'Some grid'): string =>
  `PROJCS["${name}",GEOGCS["NAD83",DATUM["North_American_Datum_1983",SPHEROID["GRS 1980",6378137,298.257222101]],` +
  `PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],` +
  `PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",-123],PARAMETER["scale_factor",0.9996],` +
  `PARAMETER["false_easting",500000],PARAMETER["false_northing",0],${unit}]`;
const international = 'UNIT["foot",0.3048,AUTHORITY["EPSG","9002"]]';
const survey = 'UNIT["US survey foot",0.304800609601219,AUTHORITY["EPSG","9003"]]';

describe('unit of a cloud', () => {
  it('[TOUR-25] is read from WKT and distinguishes the two kinds of feet', async () => {
    for (const [text, unit, metres] of [
      [international, 'ft', 0.3048],
      [survey, 'ftUS', 1200 / 3937],
      ['UNIT["Foot_US",0.3048006]', 'ftUS', 1200 / 3937],
      ['UNIT["metre",1]', 'm', 1],
      ['UNIT["decimetre",0.1]', 'other', 0.1],
    ] as const) {
      const { system, size } = await convert(las([buildWktRecord(buildProjectedWkt(text))]));
      expect(system.horizontal).toEqual({ unit, metres, basis: 'FILE' });
      expect(system.name).toBe('Some grid');
      expect(size[0]).toBeCloseTo(100 * metres, 9);
      expect(size[2]).toBeCloseTo(20 * metres, 9);
    }
  });

  it('[TOUR-25] differs between plan and height in a compound system', async () => {
    const vertical =
      'VERT_CS["NAVD88 height (ftUS)",VERT_DATUM["NAVD88",2005],UNIT["US survey foot",0.304800609601219]]';
    const compound = `COMPD_CS["both",${buildProjectedWkt('UNIT["metre",1]')},${vertical}]`;
    const { system, size } = await convert(las([buildWktRecord(compound)]));
    expect([system.horizontal.unit, system.vertical.unit, system.verticalName]).toEqual([
      'm',
      'ftUS',
      'NAVD88 height (ftUS)',
    ]);
    expect(size[0]).toBeCloseTo(100, 9);
    expect(size[2]).toBeCloseTo(20 * (1200 / 3937), 9);
  });

  it('[TOUR-25] is read from WKT 2', async () => {
    const wkt =
      'COMPOUNDCRS["both",PROJCRS["NAD83 / Tennessee",BASEGEOGCRS["NAD83",DATUM["NAD83",ELLIPSOID["GRS 1980",6378137,' +
      '298.257222101]]],CONVERSION["c",METHOD["Lambert Conic Conformal (2SP)"]],CS[Cartesian,2],AXIS["x",east,ORDER[1],' +
      'LENGTHUNIT["US survey foot",0.304800609601219]],AXIS["y",north,ORDER[2]],ID["EPSG",2274]],VERTCRS["h",' +
      'VDATUM["v"],CS[vertical,1],AXIS["up",up,LENGTHUNIT["metre",1]]]]';
    const { system, size } = await convert(las([buildWktRecord(wkt)]));
    expect([system.horizontal.unit, system.vertical.unit, system.epsg]).toEqual(['ftUS', 'm', 2274]);
    expect(size[0]).toBeCloseTo(100 * (1200 / 3937), 9);
    expect(size[2]).toBeCloseTo(20, 9);
  });

  it('[TOUR-25] is read from GeoTIFF keys, including units that only the EPSG code implies', async () => {
    const conversion = await convert(
      las(buildGeoKeyRecords({ 1024: 1, 3072: 32_767, 3073: 'Own grid', 3076: 9003, 4099: 9002 })),
    );
    expect(conversion.system).toMatchObject({
      horizontal: { unit: 'ftUS' },
      vertical: { unit: 'ft' },
      name: 'Own grid',
    });
    const byCode = await convert(las(buildGeoKeyRecords({ 1024: 1, 3072: 2274, 4096: 5703 })));
    expect(byCode.system).toMatchObject({
      horizontal: { unit: 'ftUS', basis: 'FILE' },
      vertical: { unit: 'm', basis: 'FILE' },
      name: 'NAD83 / Tennessee (ftUS)',
      verticalName: 'NAVD88 height',
      epsg: 2274,
    });
    expect(byCode.size[0]).toBeCloseTo(100 * (1200 / 3937), 9);
  });

  it('[TOUR-25] is assumed to be the metre if neither the file states a unit nor the person chose one', async () => {
    expect((await convert(las())).system).toMatchObject({
      horizontal: { unit: 'm', basis: 'ASSUMED' },
      vertical: { unit: 'm', basis: 'ASSUMED' },
      name: null,
    });
    const conversion = await convert(las([buildWktRecord(buildProjectedWkt(international))]), 'mm');
    expect(conversion.system).toMatchObject({ horizontal: { unit: 'mm', basis: 'PERSON' }, stated: { unit: 'ft' } });
    expect(conversion.size[0]).toBeCloseTo(0.1, 9);
    for (const text of ["''", 'PROJCS[', 'PROJCS["x",UNIT["foot",0.3048]', '['.repeat(1000), ''])
      expect((await convert(las([buildWktRecord(text)]))).system.horizontal.basis).toBe('ASSUMED');
  });

  it('[TOUR-25] is the metre in E57 files, and refuses files whose coordinate system says another unit', async () => {
    const scan = {
      name: 'one',
      guid: 'one',
      pose: { rotation: [1, 0, 0, 0], translation: [10, 0, 0] },
      positions: Float32Array.from([0, 0, 0, 100, 50, 20]),
    } as const;
    const e57 = (coordinateMetadata?: string): ByteSource =>
      openBytes(writeE57([scan], [], coordinateMetadata === undefined ? {} : { coordinateMetadata }));
    expect((await convert(e57())).system.horizontal).toEqual({ unit: 'm', metres: 1, basis: 'FORMAT' });
    expect((await convert(e57(buildProjectedWkt('UNIT["metre",1]', 'Plant')))).system.name).toBe('Plant');
    const feet = e57(buildProjectedWkt(survey, 'Feet grid'));
    expect((await catchRefusal(convert(feet))).message).toMatch(/Feet grid.*is not\. Choose its actual unit/);
    const conversion = await convert(feet, 'ft');
    expect(conversion.size[0]).toBeCloseTo(30.48, 5);
    expect(conversion.minimum[0]).toBeCloseTo(3.048, 5);
  });
});

describe('coordinates that are not lengths', () => {
  const degrees: readonly Point3[] = [
    [-94.6835, 31.0367, 39],
    [-94.6606, 31.0473, 78],
  ];
  const geographic = buildGeoKeyRecords({ 1024: 2, 2048: 4326, 2049: 'WGS 84', 2054: 9102 });

  it('[TOUR-25] are refused if they are degrees, until the person chooses to convert them', async () => {
    expect((await catchRefusal(convert(las(geographic, degrees, 1e-7)))).message).toMatch(
      /are in degrees \(WGS 84\), not lengths/,
    );
    const { system, size } = await convert(las(geographic, degrees, 1e-7), 'PROJECT');
    expect(system).toMatchObject({
      horizontal: { unit: 'deg', metres: null },
      vertical: { unit: 'm', basis: 'ASSUMED' },
      projectedTo: 'WGS 84 / UTM zone 15N (EPSG:32615)',
    });
    // At this latitude a degree of longitude is 95.4 km and one of latitude is 110.9 km (WGS 84). The convergence of UTM
    // rotates them slightly.
    expect(size[0]! / (0.0229 * 95_420)).toBeCloseTo(1, 1);
    expect(size[1]! / (0.0106 * 110_870)).toBeCloseTo(1, 1);
    expect(size[2]).toBeCloseTo(39, 3);
  });

  it('[TOUR-25] are converted to the coordinate system of the site if it has one', async () => {
    const { system, minimum } = await convert(las(geographic, degrees, 1e-7), 'PROJECT', { crs: 32_614 });
    expect(system.projectedTo).toBe('WGS 84 / UTM zone 14N (EPSG:32614)');
    // In the zone to the west of its own zone, the cloud has a larger easting.
    expect(minimum[0]).toBeGreaterThan(800_000);
    const feet = await convert(las(geographic, degrees, 1e-7), 'PROJECT', { crs: 2278 });
    expect(feet.size[0]! / (await convert(las(geographic, degrees, 1e-7), 'PROJECT')).size[0]!).toBeCloseTo(1, 1);
  });

  it('[TOUR-25] are refused if they are Web Mercator or geocentric', async () => {
    const mercator = las(
      buildGeoKeyRecords({ 1024: 1, 3072: 3857, 3076: 9001 }),
      [
        [-8_242_746, 4_966_506, 0],
        [-8_242_446, 4_966_706, 50],
      ],
      0.01,
    );
    expect((await catchRefusal(convert(mercator))).message).toMatch(/Web Mercator.*distorts lengths/);
    const { size } = await convert(mercator, 'PROJECT');
    // The scale factor at 40.7 degrees north is 1 / cos(latitude) = 1.319.
    expect(300 / size[0]!).toBeCloseTo(1.319, 1);
    expect((await convert(mercator, 'm')).size[0]).toBeCloseTo(300, 6);
    const geocentric = las(
      [buildWktRecord('GEOCCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],UNIT["metre",1]]')],
      [
        [638_000, 100, 100],
        [638_010, 110, 110],
      ],
    );
    expect((await catchRefusal(convert(geocentric))).message).toMatch(/geocentric/);
    expect((await catchRefusal(convert(las(), 'PROJECT'))).message).toMatch(/has no coordinate system/);
  });
});

describe('sample clouds', () => {
  const unknown = [null, 'ASSUMED', 'm'] as const;
  const expected: Readonly<Record<string, readonly [name: string | null, basis: string, unit: string] | RegExp>> = {
    'laz-perf/1815.las': ['NAD83(2011) / Texas Centric Lambert Conformal', 'FILE', 'm'],
    'laz-perf/1815.laz': ['NAD83(2011) / Texas Centric Lambert Conformal', 'FILE', 'm'],
    'laz-perf/extrabytes.las': unknown,
    'laz-perf/extrabytes.laz': unknown,
    'laz-perf/point-color-time.las': ['NAD83 / UTM zone 10N', 'FILE', 'm'],
    'laz-perf/point-color-time.las.laz': ['NAD83 / UTM zone 10N', 'FILE', 'm'],
    'laz-perf/point10-1.0.las': unknown,
    'laz-perf/point10-1.0.laz': unknown,
    'laz-perf/point10-1.1.las': unknown,
    'laz-perf/point10-1.1.laz': unknown,
    'laz-perf/point10.las': ['NAD83 / UTM zone 10N', 'FILE', 'm'],
    'laz-perf/point10.las.laz': ['NAD83 / UTM zone 10N', 'FILE', 'm'],
    'pdal/autzen_trim.laz': ['NAD_1983_HARN_Lambert_Conformal_Conic', 'FILE', 'ft'],
    'pdal/mvk-thin.las': ['NAD_1983_StatePlane_Mississippi_West_FIPS_2302_Feet', 'FILE', 'ftUS'],
    'pdal/warsaw_small.las': unknown,
    'pdal/epsg_4326.las': /are in degrees \(WGS 84\)/,
    'pdal/lone-star.copc.laz': /geocentric/,
    'copc/ellipsoid.laz': /Web Mercator/,
    'copc/ellipsoid-1.4.laz': /Web Mercator/,
    'copc/ellipsoid.copc.laz': /Web Mercator/,
    'e57/pumpAVisualReferenceImage.e57': [null, 'FORMAT', 'm'],
    'e57-edge/reference/bunnyDouble.e57': [null, 'FORMAT', 'm'],
  };
  for (const [name, expectation] of Object.entries(expected))
    itWithSampleData(
      `[TOUR-25] ${name}: has the expected unit and coordinate system`,
      [`pointcloud/${name}`],
      async ([sample]) => {
        const file = await openFile(sample);
        try {
          if (expectation instanceof RegExp)
            return expect((await catchRefusal(convert(file))).message).toMatch(expectation);
          const { system } = await convert(file);
          expect([system.name, system.horizontal.basis, system.horizontal.unit]).toEqual(expectation);
        } finally {
          await file.close();
        }
      },
    );

  itWithSampleData(
    '[TOUR-25] makes autzen_trim.laz 359 m wide, and epsg_4326.las 2.2 km after the conversion',
    ['pointcloud/pdal/autzen_trim.laz', 'pointcloud/pdal/epsg_4326.las'],
    async ([autzen, degrees]) => {
      const [a, b] = await Promise.all([openFile(autzen), openFile(degrees)]);
      try {
        expect((await convert(a)).size[0]).toBeCloseTo(1177.46 * 0.3048, 1);
        const { size, system } = await convert(b, 'PROJECT');
        expect(size[0]! / 2180).toBeCloseTo(1, 1);
        expect(system.projectedTo).toMatch(/UTM zone 15N/);
      } finally {
        await Promise.all([a.close(), b.close()]);
      }
    },
  );
});
