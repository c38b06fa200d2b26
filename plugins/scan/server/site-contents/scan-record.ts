import { Type, type Static } from 'typebox';
import { sourceChoices } from '#core';
import { Instant, nullable, Point } from '#core/api';
import type { ServerContext } from '#core/server';
import { ScanPose } from '../../contract/api/admin.ts';
import { linkModes } from '../../contract/values/station-links.ts';
import type { ScanTables } from '../tables.ts';

export type ScanContentContext = Pick<
  ServerContext<ScanTables>,
  'tables' | 'files' | 'jobs' | 'locations' | 'sites' | 'service'
>;

export const scansFile = 'scans.json';
const File = Type.Object({ file: Type.String(), name: Type.String() });
export type ExportedFile = Static<typeof File>;
export const ExportedScans = Type.Object({
  deliveries: Type.Array(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: 120 }),
      location: Type.String(),
      capturedAt: nullable(Instant),
      /** Pose of the files in the site frame. */
      place: ScanPose,
      unit: Type.Enum([...sourceChoices]),
      /** Whether structured scans became stations. */
      stations: Type.Boolean(),
      /** The uploaded files, in the order of upload. */
      files: Type.Array(File, { minItems: 1 }),
    }),
  ),
  /** Stations that belong to no delivery. */
  stations: Type.Array(
    Type.Object({
      name: Type.String(),
      location: Type.String(),
      capturedAt: Instant,
      position: Point,
      heading: Type.Number(),
      /** One standard deviation of a range, metres. */
      sigma: Type.Number(),
      link: Type.Enum([...linkModes]),
      /** Code of the linked viewpoint. */
      viewpoint: nullable(Type.String()),
      ranges: Type.String(),
      panorama: nullable(Type.String()),
    }),
  ),
});
export type ExportedScans = Static<typeof ExportedScans>;
