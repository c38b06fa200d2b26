import { Type, type Static } from 'typebox';
import { Instant, nullable } from '#core/api';
import { rangeSources } from '../../contract/api.ts';

export const panoramasFile = 'panoramas.json';

export const PanoramaRecord = Type.Object({
  viewpoint: Type.String(),
  capturedAt: Instant,
  /** Direction of the centre, degrees clockwise from north of the site frame. */
  heading: Type.Number({ minimum: 0, maximum: 360 }),
  /** Tilt of the camera, degrees. The picture is as it was uploaded, not levelled. */
  pitch: Type.Number({ minimum: -180, maximum: 180 }),
  roll: Type.Number({ minimum: -180, maximum: 180 }),
  picture: Type.String(),
  /** Distances in the directions of the levelled picture: red * 256 + green, millimetres. */
  ranges: nullable(
    Type.Object({
      file: Type.String(),
      /** The source from which it was computed; null if a scanner measured it. */
      source: nullable(Type.Enum([...rangeSources])),
    }),
  ),
});
export type PanoramaRecord = Static<typeof PanoramaRecord>;
export const Panoramas = Type.Array(PanoramaRecord);
