import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { Uid, InstantInput, Instant, LocationUid, nullable, Point, SourceUnit } from '#core/api';
import { maxFileBytes, maxHeadBytes, unmeasurableKinds } from '../values/file-heads.ts';

export const cloudKinds = ['TILES', 'COPC'] as const;

/** Summary of the points of a cloud, in metres of the site frame. */
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
  uid: Type.String(),
  name: Type.String(),
  location: Type.String(),
  capturedAt: nullable(Instant),
  /** `TILES` is a folder with a `tileset.json` of our importer (3D Tiles 1.1). `COPC` is one file, read by ranges. */
  kind: Type.Enum([...cloudKinds]),
  /** URL of the folder, without a trailing slash, or of the file; null until the import has finished. */
  address: nullable(Type.String()),
  extent: nullable(CloudExtent),
});

export const listClouds = endpoint('GET', '/api/scan/:location/clouds', {
  summary: 'Lists the point clouds of a location, and of all above and below it, that the caller can access.',
  access: 'scanAccess',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Array(PointCloud),
});

export const importCloud = endpoint('POST', '/api/scan/:location/clouds', {
  summary:
    'Receives files of points (E57, LAS, LAZ, COPC, EPT in a ZIP file) as a form and makes one cloud of them in a job. ' +
    'A single COPC file in metres is stored unchanged. The structured scans of E57 files become scan stations, unless ' +
    'the field `stations` is `false`. The field `place` is the pose of the files in the site as JSON: `position` ' +
    '(metres) and `heading` (degrees clockwise). The field `unit` is `FILE` (the unit that the files state, the ' +
    'default), `PROJECT` (projects the coordinates to metres by their coordinate system) or a unit that overrides the stated one.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  query: Type.Object(
    { name: Type.String({ minLength: 1, maxLength: 120 }), capturedAt: Type.Optional(InstantInput) },
    { additionalProperties: false },
  ),
  reply: Type.Object({ uid: Type.String(), job: Type.String() }),
});

export const describeHeader = endpoint('POST', '/api/scan/:location/header', {
  summary: 'Describes the points and the coordinates of a LAS, LAZ or COPC file from its first bytes (`head`, Base64).',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  body: Type.Object(
    {
      name: Type.String({ maxLength: 255 }),
      bytes: Type.Integer({ minimum: 0, maximum: maxFileBytes }),
      head: Type.String({ maxLength: Math.ceil(maxHeadBytes / 3) * 4, pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    /** Null if the start of the file does not suffice. */
    header: nullable(
      Type.Object({
        points: Type.Integer(),
        /** Whether the file is a single node of an EPT folder, which is not a complete cloud. */
        part: Type.Boolean(),
        /** Null if the file states no unit. */
        horizontal: nullable(SourceUnit),
        vertical: nullable(SourceUnit),
        /** Name of the coordinate system. */
        name: nullable(Type.String()),
        epsg: nullable(Type.Integer()),
        /** Null if the coordinates are lengths, so that distances can be measured; otherwise the reason. */
        unmeasurable: nullable(Type.Enum([...unmeasurableKinds])),
      }),
    ),
  }),
});

export const deleteCloud = endpoint('DELETE', '/api/scan/:location/clouds/:uid', {
  summary: 'Deletes a point cloud of this location with its files.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: Uid }),
  reply: Type.Object({ removed: Type.Boolean() }),
});
