import { Type, type Static } from 'typebox';
import { accessFlags } from '../access.ts';
import { accessRequestStatuses, accessSubjects, maxAccessReason, maxAccessRequestPage } from '../access-requests.ts';
import { endpoint } from '../endpoint.ts';
import { mandatory } from '../validators/mandatory.ts';
import { maxLength } from '../validators/max.ts';
import { Changed } from './changes.ts';
import { BaseVersion, Instant, LocationUid, nullable, Page, pageQuery, Uid } from './shapes.ts';

const content = {
  uid: Type.String(),
  feature: Type.Enum([...accessSubjects]),
  /** Uid of the location at which access is wanted. */
  location: nullable(Type.String()),
  reason: Type.String(),
  status: Type.Enum([...accessRequestStatuses]),
  createdAt: Instant,
  /** Name of the granted role. */
  role: nullable(Type.String()),
  /** The reason for which the request was declined. */
  answer: nullable(Type.String()),
};

/** A request for access, as the person who sent it sees it. */
export type OwnAccessRequest = Static<typeof OwnAccessRequest>;
export const OwnAccessRequest = Type.Object(content);

/** A request for access, as admins see it. */
export type AccessRequest = Static<typeof AccessRequest>;
export const AccessRequest = Type.Object({
  ...content,
  person: Type.Object({ uid: Type.String(), name: Type.String(), username: Type.String() }),
  answeredAt: nullable(Instant),
  /** Name of the admin. */
  answeredBy: nullable(Type.String()),
  version: Type.Integer(),
});

const reason = Type.String({ maxLength: 4000 });
const reasonRules = { reason: [mandatory, maxLength(maxAccessReason)] };

export const sendAccessRequest = endpoint('POST', '/api/access-requests', {
  summary:
    'Ask the admins for access to a feature, at a location if one is named. A request that is sent again while it is ' +
    'unanswered is answered with the first one. Answers 409 if the person has too many unanswered requests.',
  access: 'signedIn',
  limitPerMinute: 20,
  body: Type.Object(
    { feature: Type.Enum([...accessSubjects]), location: nullable(LocationUid), reason },
    { additionalProperties: false },
  ),
  rules: reasonRules,
  status: 201,
  reply: OwnAccessRequest,
});

export const listOwnAccessRequests = endpoint('GET', '/api/me/access-requests', {
  summary: 'The latest 50 requests for access of the signed-in person, latest first.',
  access: 'signedIn',
  reply: Type.Array(OwnAccessRequest),
});

export const listAccessRequests = endpoint('GET', '/api/access-requests', {
  summary: 'Lists requests for access, latest first. Those at locations that the caller cannot access are left out.',
  access: 'userManagement',
  query: Type.Object(
    { status: Type.Optional(Type.Enum([...accessRequestStatuses])), ...pageQuery(maxAccessRequestPage) },
    { additionalProperties: false },
  ),
  reply: Page(AccessRequest),
});

const params = Type.Object({ request: Uid });

/** A role by which a request can be granted. */
export type GrantableRole = Static<typeof GrantableRole>;
export const GrantableRole = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  flags: Type.Array(Type.Enum([...accessFlags])),
  allLocations: Type.Boolean(),
  /** Whether the person would have the access with this role. */
  sufficient: Type.Boolean(),
});

export const listGrantableRoles = endpoint('GET', '/api/access-requests/:request/roles', {
  summary:
    'Active roles that the person does not have and that allow no more than the roles of the caller: roles that grant the ' +
    'requested access first, with the least access first. At most 200 roles.',
  access: 'userManagement',
  params,
  reply: Type.Array(GrantableRole),
});

export const grantAccessRequest = endpoint('POST', '/api/access-requests/:request/grant', {
  summary:
    'Give a role to the person of a request. The role must be active and allow no more than the roles of the caller. Answers ' +
    '409 if the request is already answered.',
  access: 'userManagement',
  params,
  body: Type.Object({ role: Uid, version: BaseVersion }, { additionalProperties: false }),
  reply: Changed,
});

export const declineAccessRequest = endpoint('POST', '/api/access-requests/:request/decline', {
  summary: 'Decline a request with a reason that its person reads. Answers 409 if it was answered meanwhile.',
  access: 'userManagement',
  params,
  body: Type.Object({ reason, version: BaseVersion }, { additionalProperties: false }),
  rules: reasonRules,
  reply: Changed,
});
