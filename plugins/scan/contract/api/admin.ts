import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import {
  Uid,
  Completeness,
  InstantInput,
  PointInput,
  Instant,
  LocationUid,
  nullable,
  Point,
  SourceSystem,
  LocalizedError,
} from '#core/api';
import { ScanToken } from '../api.ts';
import { linkModes } from '../values/station-links.ts';
import { CloudExtent, cloudKinds } from './cloud.ts';

const Name = Type.String({ minLength: 1, maxLength: 120 });

/** The pose of delivered files in the site frame. They are rotated clockwise, seen from above, and then moved. */
export type ScanPose = Static<typeof ScanPose>;
export const ScanPose = Type.Object(
  { position: PointInput, heading: Type.Number({ minimum: -360, maximum: 360 }) },
  { additionalProperties: false },
);

export const pictureSources = ['PHOTO', 'COLOURS', 'INTENSITY', 'RANGES'] as const;
export const skipReasons = ['UNSTRUCTURED', 'TOO_FEW', 'DAMAGED'] as const;

/** The outcome of one scan of an E57 file. */
export type StationReport = Static<typeof StationReport>;
export const StationReport = Type.Object({
  /** Name of the scan in the file. */
  name: Type.String(),
  /** Uid of the station. Null if the scan creates no station; its points are in the point cloud in any case. */
  station: nullable(Type.String()),
  /** Why the scan creates no station. Null if it creates one. */
  skipReason: nullable(Type.Enum([...skipReasons])),
  /** The source of the panorama. */
  pictureSource: nullable(Type.Enum([...pictureSources])),
  /** The number of pixels whose return is beyond the maximum range (65.535 m). */
  tooFarPixels: Type.Integer(),
});

/** The numbers of declared and read points of a file, and its unit and coordinate system. */
export type FileSummary = Static<typeof FileSummary>;
export const FileSummary = Type.Object({ ...Completeness.properties, system: SourceSystem });

/** Scan files that an admin uploaded together, and the result of their import. */
export type ScanDelivery = Static<typeof ScanDelivery>;
export const ScanDelivery = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  location: Type.String(),
  capturedAt: nullable(Instant),
  kind: Type.Enum([...cloudKinds]),
  pose: ScanPose,
  /** A `READY` delivery with a job keeps its current data on screen until the job has finished. */
  state: Type.Enum(['IMPORTING', 'READY', 'FAILED']),
  /** Why the last import failed, in English. */
  message: nullable(Type.String()),
  /** The reason as a message id with values, for the reader's language. */
  refusal: nullable(LocalizedError),
  /** The running job. */
  job: nullable(Type.Object({ id: Type.String(), done: Type.Number(), total: nullable(Type.Number()) })),
  /** `content` is null until an import has succeeded. */
  files: Type.Array(Type.Object({ name: Type.String(), bytes: Type.Number(), content: nullable(FileSummary) })),
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
  /** Whether the tiles of the picture are made, so that tours show the station. */
  hasTiles: Type.Boolean(),
  /** Uid of its delivery. */
  delivery: nullable(Type.String()),
  linkMode: Type.Enum([...linkModes]),
  /** The linked node of the tour, or null. `distanceMetres` is the distance between its camera and the scanner. */
  node: nullable(
    Type.Object({ uid: Type.String(), code: Type.String(), name: Type.String(), distanceMetres: Type.Number() }),
  ),
});

export const getScanContent = endpoint('GET', '/api/scan/:location/content', {
  summary:
    'Returns for admins the deliveries and stations of a location and of the locations above and below it, the nodes ' +
    'to which stations can be linked, and the scan token, also an expired one.',
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

export const updateDelivery = endpoint('PUT', '/api/scan/:location/clouds/:uid', {
  summary:
    'Changes the name and the pose of a delivery. A new pose starts a job that rebuilds the cloud. The ' +
    'cloud and its stations move when the job succeeds.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: Uid }),
  body: Type.Object(
    { name: Name, pose: ScanPose, capturedAt: nullable(InstantInput) },
    { additionalProperties: false },
  ),
  reply: Type.Object({ job: nullable(Type.String()) }),
});

export const updateStation = endpoint('PUT', '/api/scan/:location/stations/:uid', {
  summary:
    'Changes the name and the pose of a scan station, and its link to a node of the tour. With the mode `CHOSEN` the ' +
    'station is linked to `node`, or to no node if `node` is null. With `NEAREST` it is linked to the nearest node. ' +
    'Without `linkMode` the link does not change.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: Uid }),
  body: Type.Object(
    {
      name: Name,
      position: PointInput,
      heading: Type.Number({ minimum: -360, maximum: 360 }),
      linkMode: Type.Optional(Type.Enum([...linkModes])),
      node: Type.Optional(nullable(Uid)),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ changed: Type.Boolean() }),
});

export const deleteStation = endpoint('DELETE', '/api/scan/:location/stations/:uid', {
  summary: 'Deletes a scan station of this location with its pictures. The points of its scan stay in the cloud.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: Uid }),
  reply: Type.Object({ removed: Type.Boolean() }),
});

/** A station of a delivery, and the node that would be created from it. */
export type PlannedViewpoint = Static<typeof PlannedViewpoint>;
export const PlannedViewpoint = Type.Object({
  /** Uid and name of the station. */
  station: Type.String(),
  name: Type.String(),
  position: Point,
  /** The source of the station's picture. Only a picture from photos or colours becomes a panorama of the node. */
  pictureSource: nullable(Type.Enum([...pictureSources])),
  code: Type.String(),
  /** Name of the deck below the scanner. */
  deck: nullable(Type.String()),
  /** An existing node at most 0.3 m from the scanner. If there is one, no node is created. */
  existing: nullable(Type.Object({ code: Type.String(), name: Type.String(), distanceMetres: Type.Number() })),
});

export const planViewpoints = endpoint('GET', '/api/scan/:location/clouds/:uid/viewpoints', {
  summary:
    'Lists the nodes that would be created from the stations of a delivery in the tour of its location. Answers 409 ' +
    'if the location has no tour.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: Uid }),
  reply: Type.Array(PlannedViewpoint),
});

export const createViewpointNodes = endpoint('POST', '/api/scan/:location/clouds/:uid/viewpoints', {
  summary:
    'Creates nodes from stations of a delivery, with their pictures and range images, in a job. Stations with an ' +
    'existing node are skipped. `change` is the uid of the change by which the nodes can be undone after the job.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, uid: Uid }),
  body: Type.Object({ stations: Type.Array(Uid, { minItems: 1, maxItems: 5000 }) }, { additionalProperties: false }),
  status: 201,
  reply: Type.Object({ job: Type.String(), change: Type.String() }),
});
