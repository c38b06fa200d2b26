import { Type, type Static } from 'typebox';
import { Instant, nullable } from '#core/api';
import { rangeSources } from '../../contract/api.ts';

export const panoramasFile = 'panoramas.json';

export const PanoramaRecord = Type.Object({
  viewpoint: Type.String(),
  capturedAt: Instant,
  /** Direction of the centre, degrees clockwise from north of the site frame. */
  heading: Type.Number({ minimum: 0, maximum: 360 }),
  /** Tilt of the camera, degrees. The exported picture is the uploaded one, which is not levelled. */
  pitch: Type.Number({ minimum: -180, maximum: 180 }),
  roll: Type.Number({ minimum: -180, maximum: 180 }),
  picture: Type.String(),
  /** Range image of the levelled picture: red * 256 + green, millimetres. */
  ranges: nullable(
    Type.Object({
      file: Type.String(),
      /** Source of computed ranges. Null if a scanner measured them. */
      source: nullable(Type.Enum([...rangeSources])),
    }),
  ),
});
export type PanoramaRecord = Static<typeof PanoramaRecord>;
export const Panoramas = Type.Array(PanoramaRecord);
