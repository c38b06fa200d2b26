import { Type, type Static } from 'typebox';
import { contentSeverities, maxFindingPage } from '../content-checks.ts';
import { endpoint } from '../endpoint.ts';
import { LocationUid, nullable, Page, pageQuery } from './shapes.ts';

/** A check of what admins set up, with the number of its findings. */
export type ContentCheckResult = Static<typeof ContentCheckResult>;
export const ContentCheckResult = Type.Object({
  /** Plugin and check, such as `tour.viewpointWithoutLink`. */
  id: Type.String(),
  severity: Type.Enum([...contentSeverities]),
  count: Type.Integer({ minimum: 0 }),
  /** The screen where findings are fixed. */
  fix: Type.Object({
    /** Id and path of its route. */
    route: Type.String(),
    path: Type.String(),
    /** Parameter of its URL that names the subject. Null if it shows the location alone. */
    parameter: nullable(Type.String()),
  }),
});

/** Something in the contents that is missing or contradicts itself. */
export type ContentFinding = Static<typeof ContentFinding>;
export const ContentFinding = Type.Object({
  location: Type.String(),
  /** The value of the parameter in the URL of the screen that fixes the finding, such as a uid or a tag number. */
  subject: Type.String(),
  name: Type.String(),
});

export const listContentChecks = endpoint('GET', '/api/content-checks/:location', {
  summary: 'Runs all checks of the contents at a location and below, as far as the caller can access them.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: Type.Array(ContentCheckResult),
});

export const listContentFindings = endpoint('GET', '/api/content-checks/:location/:check', {
  summary: 'Lists the findings of one check by name.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid, check: Type.String({ minLength: 1, maxLength: 100 }) }),
  query: Type.Object(pageQuery(maxFindingPage), { additionalProperties: false }),
  reply: Page(ContentFinding),
});
