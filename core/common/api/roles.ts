import { Type, type Static } from 'typebox';
import { accessFlags } from '../access.ts';
import { endpoint } from '../endpoint.ts';
import { maxRolePage, newRoleRules, roleLimits, roleRules, roleSorts, roleStatuses } from '../role-rules.ts';
import { Changed } from './changes.ts';
import { BaseVersion, Instant, LocationUid, Page, pageQuery, Uid } from './shapes.ts';

const Flags = Type.Array(Type.Enum([...accessFlags]));

const identity = {
  /** The role's ID. It never changes. */
  uid: Type.String(),
  name: Type.String(),
  status: Type.Enum([...roleStatuses]),
  flags: Flags,
  allLocations: Type.Boolean(),
  /** The role that always has every feature and every location. */
  builtIn: Type.Boolean(),
  version: Type.Integer(),
  createdAt: Instant,
};

/** A row of the list of roles. */
export type RoleRow = Static<typeof RoleRow>;
export const RoleRow = Type.Object({
  ...identity,
  /** Number of people with the role whose accounts are not deactivated. */
  people: Type.Integer(),
  /** The number of locations of the role, without the locations below them. */
  locationCount: Type.Integer(),
});

/** A role with the uids of the roots of its locations. */
export type RoleReply = Static<typeof RoleReply>;
export const RoleReply = Type.Object({ ...identity, locations: Type.Array(Type.String()) });

export const listRoles = endpoint('GET', '/api/roles', {
  summary: 'Lists roles with the number of their people and locations.',
  access: 'configure',
  query: Type.Object(
    {
      text: Type.Optional(Type.String({ maxLength: 200, description: 'A part of the name or ID.' })),
      status: Type.Optional(Type.Enum([...roleStatuses])),
      sort: Type.Optional(Type.Enum([...roleSorts])),
      order: Type.Optional(Type.Enum(['ascending', 'descending'])),
      ...pageQuery(maxRolePage),
    },
    { additionalProperties: false },
  ),
  reply: Page(RoleRow),
});

const params = Type.Object({ role: Uid });

export const getRole = endpoint('GET', '/api/roles/:role', {
  summary: 'A role with its features and locations.',
  access: 'configure',
  params,
  reply: RoleReply,
});

/** The access that a role grants. Each location includes the locations below it. */
const grants = {
  flags: Flags,
  allLocations: Type.Boolean(),
  locations: Type.Array(LocationUid, { maxItems: roleLimits.locations }),
};
const name = Type.String({ maxLength: 1000 });

export type NewRoleInput = Static<typeof NewRoleInput>;
export const NewRoleInput = Type.Object(
  { uid: Type.String({ maxLength: 1000, description: "The role's ID, which never changes." }), name, ...grants },
  { additionalProperties: false },
);

export const createRole = endpoint('POST', '/api/roles', {
  summary:
    'Create an active role with at least one feature. Nobody can create a role that allows more than their own roles. ' +
    'Answers 409 if the ID or the name is taken. A repeated request of the same person gets the first reply.',
  access: 'configure',
  body: NewRoleInput,
  rules: newRoleRules,
  status: 201,
  reply: Changed,
});

export type RoleChange = Static<typeof RoleChange>;
export const RoleChange = Type.Object({ name, ...grants, version: BaseVersion }, { additionalProperties: false });

export const updateRole = endpoint('PUT', '/api/roles/:role', {
  summary:
    'Change name, features and locations of a role that allows no more than the roles of the caller, before and after. Answers ' +
    '409 with the current role if it was changed since it was read, if the name is taken, or if no active admin would ' +
    'remain.',
  access: 'configure',
  params,
  body: RoleChange,
  rules: roleRules,
  reply: Changed,
});

export const setRoleStatus = endpoint('PUT', '/api/roles/:role/status', {
  summary:
    'Activate or deactivate a role. A deactivated role allows nothing and keeps its features. Answers 409 with the ' +
    'present role if it was changed since it was read, or if no active admin would remain.',
  access: 'configure',
  params,
  body: Type.Object({ status: Type.Enum([...roleStatuses]), version: BaseVersion }, { additionalProperties: false }),
  reply: Changed,
});

/** Numbers of people whose access a change of a role would change. Their other active roles are considered. */
export type RoleEffects = Static<typeof RoleEffects>;
export const RoleEffects = Type.Object({
  /** People with the role whose accounts are not deactivated. */
  people: Type.Integer(),
  /** People who would lose a feature or a location. */
  losing: Type.Integer(),
  /** People who would have no feature any more, and have one now. */
  withoutFeature: Type.Integer(),
  /** Features that somebody would lose or gain. */
  flags: Type.Array(
    Type.Object({ flag: Type.Enum([...accessFlags]), losing: Type.Integer(), gaining: Type.Integer() }),
  ),
  locations: Type.Object({ losing: Type.Integer(), gaining: Type.Integer() }),
});

export const previewRole = endpoint('POST', '/api/roles/:role/effects', {
  summary: 'Counts the people whose access a change of a role would reduce or extend, without changing the role.',
  access: 'configure',
  params,
  body: Type.Object({ status: Type.Enum([...roleStatuses]), ...grants }, { additionalProperties: false }),
  reply: RoleEffects,
});
