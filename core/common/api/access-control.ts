import { Type, type Static } from 'typebox';
import { accessSubjects } from '../access-requests.ts';
import { userTypes } from '../access.ts';
import { endpoint } from '../endpoint.ts';
import { LocationUid, nullable, Uid } from './shapes.ts';

/** A person whose access can be explained. */
export type ExplainedPerson = Static<typeof ExplainedPerson>;
export const ExplainedPerson = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  username: Type.String(),
  userType: Type.Enum([...userTypes]),
  status: Type.Enum(['INVITED', 'REGISTERED', 'ACTIVE', 'INACTIVE']),
});

export const findExplainedPeople = endpoint('GET', '/api/access-control/people', {
  summary: 'People whose name or email address contains a text, at most 20 by name.',
  access: 'userManagement',
  query: Type.Object({ text: Type.Optional(Type.String({ maxLength: 200 })) }, { additionalProperties: false }),
  reply: Type.Array(ExplainedPerson),
});

/** The conditions by which a person can or cannot use a feature at a location. */
export type AccessExplanation = Static<typeof AccessExplanation>;
export const AccessExplanation = Type.Object({
  person: ExplainedPerson,
  granted: Type.Boolean(),
  /** Whether the account is active. */
  account: Type.Boolean(),
  /** Whether an active role has the feature. Null without a feature. */
  feature: nullable(Type.Boolean()),
  /** Whether an active role includes the location. Null without a location. */
  location: nullable(Type.Boolean()),
  /** All roles of the person. A deactivated one lists the access that it would grant. */
  roles: Type.Array(
    Type.Object({
      uid: Type.String(),
      name: Type.String(),
      active: Type.Boolean(),
      feature: nullable(Type.Boolean()),
      location: nullable(Type.Boolean()),
      /** Uid of the role's location that is or contains the requested one. Null if the role has all or none. */
      through: nullable(Type.String()),
    }),
  ),
});

export const explainAccess = endpoint('GET', '/api/access-control/explanation', {
  summary:
    "Explain a person's access by their roles, computed as the server checks it. The caller needs access to the location.",
  access: 'userManagement',
  query: Type.Object(
    {
      account: Uid,
      feature: Type.Optional(Type.Enum([...accessSubjects])),
      location: Type.Optional(LocationUid),
    },
    { additionalProperties: false },
  ),
  reply: AccessExplanation,
});
