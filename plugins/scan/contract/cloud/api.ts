import { Type, type Static, type TSchema } from 'typebox';
import { endpoint, type Point3 } from '#core';
import { GivenInstant, Instant } from '#core/api';

const Location = Type.String({ minLength: 1, maxLength: 64 });
const Code = Type.String({ minLength: 1, maxLength: 64 });
const Point = Type.Unsafe<Point3>(Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }));
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const cloudKinds = ['TILES', 'COPC'] as const;

/** What is known of the points of a cloud. Site frame, metres. */
export type CloudExtent = Static<typeof CloudExtent>;
export const CloudExtent = Type.Object({
  points: Type.Integer(),
  minimum: Point,
  maximum: Point,
  colored: Type.Boolean(),
  withIntensity: Type.Boolean(),
});

/** A point cloud of a tour. */
export type PointCloud = Static<typeof PointCloud>;
export const PointCloud = Type.Object({
  code: Type.String(),
  name: Type.String(),
  location: Type.String(),
  capturedAt: nullable(Instant),
  /**
   * `TILES`: a folder with `tileset.json` (3D Tiles 1.1, as our importer writes it). `COPC`: one file, read by ranges.
   */
  kind: Type.Enum([...cloudKinds]),
  /** Of the folder, without a slash at its end, or of the file; null until the import is done. */
  address: nullable(Type.String()),
  extent: nullable(CloudExtent),
});

export const listClouds = endpoint('GET', '/api/scan/:location/clouds', {
  summary: 'The point clouds of a location, and of all above and below it, that the caller reaches.',
  access: 'scanAccess',
  location: 'params.location',
  params: Type.Object({ location: Location }),
  reply: Type.Array(PointCloud),
});

export const importCloud = endpoint('POST', '/api/scan/:location/clouds', {
  summary:
    'Takes files of points (E57, LAS, LAZ, COPC) as a form and makes one cloud of them in a job; a single COPC file ' +
    'is kept as it is. The structured scans of E57 files become scan stations, unless the field `stations` is ' +
    '`false`. ' +
    'The field `place` says as JSON where the files lie in the site: `position` (metres) and `heading` (degrees ' +
    'clockwise).',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: Location }),
  query: Type.Object(
    { name: Type.String({ minLength: 1, maxLength: 120 }), capturedAt: Type.Optional(GivenInstant) },
    { additionalProperties: false },
  ),
  reply: Type.Object({ code: Type.String(), job: Type.String() }),
});

export const removeCloud = endpoint('DELETE', '/api/scan/:location/clouds/:code', {
  summary: 'Removes a point cloud of this location with its files.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: Location, code: Code }),
  reply: Type.Object({ removed: Type.Boolean() }),
});
