import { Type } from 'typebox';
import { maxEpsgCode, minEpsgCode, siteUnits } from '../site-record.ts';
import { timeZoneName } from '../validators/time-zone.ts';
import { CoordinateInput, nullable } from './shapes.ts';

/** Properties of a whole site. */
export const SiteRecord = Type.Object(
  {
    timeZone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA name.', examples: ['Europe/Oslo'] }),
    frame: Type.Object(
      {
        crs: Type.Union([Type.Literal('local'), Type.Integer({ minimum: minEpsgCode, maximum: maxEpsgCode })], {
          description: 'EPSG code, or "local" for a grid of the plant itself.',
        }),
        origin: Type.Object(
          { east: CoordinateInput, north: CoordinateInput, up: CoordinateInput },
          {
            additionalProperties: false,
            description: "The origin of the site's coordinates in the CRS, in `unit`.",
          },
        ),
        rotation: Type.Number({
          exclusiveMinimum: -180,
          maximum: 180,
          description: "Degrees clockwise from true north to the site's own north.",
        }),
        unit: Type.Enum([...siteUnits], { description: 'Metre, international foot, US survey foot.' }),
      },
      { additionalProperties: false },
    ),
    verticalDatum: nullable(Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' })),
  },
  { additionalProperties: false },
);

/** Rules that the schema cannot express, by field. */
export const siteRecordRules = { timeZone: [timeZoneName] };
