import { Type, type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { maxGroupRolePage } from '../group-roles.ts';
import { providerIds } from '../profile.ts';
import { roleStatuses } from '../role-rules.ts';
import { Changed } from './changes.ts';
import { Empty, NewUid, Page, pageQuery, Uid } from './shapes.ts';

const noAdditionalProperties = { additionalProperties: false } as const;
const Provider = Type.Enum([...providerIds]);
const role = { uid: Type.String(), name: Type.String() };

/** A group of an identity provider whose people get a role at each sign-in. */
export type GroupRole = Static<typeof GroupRole>;
export const GroupRole = Type.Object({
  uid: Type.String(),
  provider: Provider,
  /** The value in the provider's claim: a name, or an object id. */
  group: Type.String(),
  role: Type.Object({ ...role, status: Type.Enum([...roleStatuses]) }),
});

/** The options of a new row. */
export type GroupRoleChoices = Static<typeof GroupRoleChoices>;
export const GroupRoleChoices = Type.Object({
  /** The configured providers with the claim that names groups. Null if the environment sets none. */
  providers: Type.Array(Type.Object({ id: Provider, claim: Type.Union([Type.String(), Type.Null()]) })),
  /** Active roles within the caller's own access. */
  roles: Type.Array(Type.Object(role)),
});

export const listGroupRoles = endpoint('GET', '/api/group-roles', {
  summary: 'Lists the groups of identity providers with their roles, by provider, group and role.',
  access: 'userManagement',
  query: Type.Object(pageQuery(maxGroupRolePage), noAdditionalProperties),
  reply: Page(GroupRole),
});

export const listGroupRoleChoices = endpoint('GET', '/api/group-role-choices', {
  summary: 'The configured identity providers with their claim of groups, and the roles that the caller may grant.',
  access: 'userManagement',
  reply: GroupRoleChoices,
});

export const createGroupRole = endpoint('POST', '/api/group-roles', {
  summary:
    'Give the people of a group a role, from their next sign-in on. Answers 403 if the role allows more than the ' +
    'access of the caller, and 409 if the group has the role. A repeated request gets the first reply.',
  access: 'userManagement',
  status: 201,
  body: Type.Object(
    { uid: NewUid, provider: Provider, group: Type.String({ minLength: 1, maxLength: 200 }), role: Uid },
    noAdditionalProperties,
  ),
  reply: Changed,
});

export const deleteGroupRole = endpoint('POST', '/api/group-roles/:groupRole/delete', {
  summary: 'Take the role from a group. Its people lose it at their next sign-in.',
  access: 'userManagement',
  params: Type.Object({ groupRole: Uid }),
  body: Empty,
  reply: Changed,
});
