import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import {
  Uid,
  Completeness,
  GivenInstant,
  GivenPoint,
  Instant,
  LocationUid,
  nullable,
  Point,
  SourceSystem,
  LocalizedError,
} from '#core/api';
import { ScanToken } from '../api.ts';
import { stationLinks } from '../values/station-links.ts';
import { CloudExtent, cloudKinds } from './cloud.ts';

const Name = Type.String({ minLength: 1, maxLength: 120 });

/** The pose of delivered files in the site frame. They are rotated clockwise, seen from above, and then moved. */
export type ScanPose = Static<typeof ScanPose>;
export const ScanPose = Type.Object(
  { position: GivenPoint, heading: Type.Number({ minimum: -360, maximum: 360 }) },
  { additionalProperties: false },
);

export const stationPictures = ['PHOTO', 'COLOURS', 'INTENSITY', 'RANGES'] as const;
export const stationRefusals = ['UNSTRUCTURED', 'TOO_FEW', 'DAMAGED'] as const;

/** The outcome of one scan of an E57 file. */
export type StationReport = Static<typeof StationReport>;
export const StationReport = Type.Object({
  /** Name of the scan in the file. */
  name: Type.String(),
  /** Uid of the station; null if the scan creates none. Its points are in the cloud nevertheless. */
  station: nullable(Type.String()),
  refusal: nullable(Type.Enum([...stationRefusals])),
  /** The source of the panorama. */
  picture: nullable(Type.Enum([...stationPictures])),
  /** Number of pixels whose return is beyond the maximum range (65.535 m). */
  beyond: Type.Integer(),
});

/** The points read from a file, and its unit. */
export type FileContent = Static<typeof FileContent>;
export const FileContent = Type.Object({ ...Completeness.properties, system: SourceSystem });

/** Scan files that an admin uploaded together, and the result of their import. */
export type ScanDelivery = Static<typeof ScanDelivery>;
export const ScanDelivery = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  location: Type.String(),
  capturedAt: nullable(Instant),
  kind: Type.Enum([...cloudKinds]),
  place: ScanPose,
  /** A `READY` delivery with a job keeps its current data on screen until the job has finished. */
  state: Type.Enum(['IMPORTING', 'READY', 'FAILED']),
  /** Why the last import failed. */
  message: nullable(Type.String()),
  /** The same reason in the reader's language. */
  refusal: nullable(LocalizedError),
  /** The running job. */
  job: nullable(Type.Object({ id: Type.String(), done: Type.Number(), total: nullable(Type.Number()) })),
  /** `content` is null until an import has succeeded. */
  files: Type.Array(Type.Object({ name: Type.String(), bytes: Type.Number(), content: nullable(FileContent) })),
  extent: nullable(CloudExtent),
  stations: Type.Array(StationReport),
  createdAt: Instant,
});

/** A scan station as admins see it, with or without tiles. */
export type ManagedStation = Static<typeof ManagedStation>;
export const ManagedStation = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  location: Type.String(),
  position: Point,
  heading: Type.Number(),
  capturedAt: Instant,
  /** One standard deviation of a range, in metres. */
  sigma: Type.Number(),
  ready: Type.Boolean(),
  /** Uid of its delivery. */
  delivery: nullable(Type.String()),
  link: Type.Enum([...stationLinks]),
  /** The linked node of the tour, or null. `metres` is the distance between its camera and the scanner. */
  node: nullable(Type.Object({ uid: Type.String(), code: Type.String(), name: Type.String(), metres: Type.Number() })),
});

export const scanContent = endpoint('GET', '/api/scan/:location/content', {
  summary:
    'Returns for admins the deliveries and stations at a location, above it and below it, the nodes that stations ' +
    'can be linked to, and the scan token even if it has expired.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Object({
    token: ScanToken,
    deliveries: Type.Array(ScanDelivery),
    stations: Type.Array(ManagedStation),
    nodes: Type.Array(Type.Object({ uid: Type.String(), code: Type.String(), name: Type.String() })),
  }),
});

export const changeDelivery = endpoint('PUT', '/api/scan/:location/clouds/:uid', {
  summary:
    'Changes the name and the pose of a delivery. A new pose starts a job that rebuilds the cloud. The ' +
    'cloud and its stations move when the job succeeds.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: Uid }),
  body: Type.Object(
    { name: Name, place: ScanPose, capturedAt: nullable(GivenInstant) },
    { additionalProperties: false },
  ),
  reply: Type.Object({ job: nullable(Type.String()) }),
});

export const changeStation = endpoint('PUT', '/api/scan/:location/stations/:uid', {
  summary:
    'Changes the name and the pose of a scan station, and its link to a node of the tour. With the link `CHOSEN` the ' +
    'station is linked to `node`, or to no node if that is null. With `NEAREST` it is linked to the nearest node. ' +
    'Without `link` the link does not change.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: Uid }),
  body: Type.Object(
    {
      name: Name,
      position: GivenPoint,
      heading: Type.Number({ minimum: -360, maximum: 360 }),
      link: Type.Optional(Type.Enum([...stationLinks])),
      node: Type.Optional(nullable(Uid)),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ changed: Type.Boolean() }),
});

export const removeStation = endpoint('DELETE', '/api/scan/:location/stations/:uid', {
  summary: 'Deletes a scan station of this location with its pictures. The points of its scan stay in the cloud.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: Uid }),
  reply: Type.Object({ removed: Type.Boolean() }),
});

/** A station of a delivery and the viewpoint that it would become. */
export type PlannedViewpoint = Static<typeof PlannedViewpoint>;
export const PlannedViewpoint = Type.Object({
  /** Uid and name of the station. */
  station: Type.String(),
  name: Type.String(),
  position: Point,
  /** The source of its picture. Without one from photos or colours the viewpoint has no panorama. */
  picture: nullable(Type.Enum([...stationPictures])),
  code: Type.String(),
  /** Name of the deck below the scanner. */
  deck: nullable(Type.String()),
  /** The viewpoint that is there already, at most 0.3 m away. */
  existing: nullable(Type.Object({ code: Type.String(), name: Type.String(), metres: Type.Number() })),
});

export const planViewpoints = endpoint('GET', '/api/scan/:location/clouds/:uid/viewpoints', {
  summary:
    'Says which viewpoints the stations of a delivery would become in the tour of its location. Answers 409 if the ' +
    'location has no tour.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: Uid }),
  reply: Type.Array(PlannedViewpoint),
});

export const makeViewpoints = endpoint('POST', '/api/scan/:location/clouds/:uid/viewpoints', {
  summary:
    'Makes viewpoints of stations of a delivery, with their pictures and distances, in a job. Those that exist are ' +
    'left out, also if they are made meanwhile. `change` takes all of them back, once the job has succeeded.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: Uid }),
  body: Type.Object({ stations: Type.Array(Uid, { minItems: 1, maxItems: 5000 }) }, { additionalProperties: false }),
  status: 201,
  reply: Type.Object({ job: Type.String(), change: Type.String() }),
});
