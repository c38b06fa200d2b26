import { Type, type Static } from 'typebox';
import { accessFlags, userTypes } from '../access.ts';
import { endpoint } from '../endpoint.ts';
import { maxPeople, personColumns, personStatuses } from '../people.ts';
import { Changed } from './changes.ts';
import { BaseVersion, Empty, Instant, NewUid, nullable, Page, pageQuery, Uid, Username } from './shapes.ts';

const closedOptions = { additionalProperties: false } as const;

/** A master as a property of a person. */
export type NamedMaster = Static<typeof NamedMaster>;
export const NamedMaster = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  frenchName: nullable(Type.String()),
});

const status = Type.Enum(['ACTIVE', 'INACTIVE']);
const master = nullable(NamedMaster);

/** A person as admins see them. */
export type Person = Static<typeof Person>;
export const Person = Type.Object({
  uid: Type.String(),
  username: Type.String(),
  name: Type.String(),
  status: Type.Enum([...personStatuses]),
  accountType: Type.Enum([...userTypes]),
  createdAt: Instant,
  invitedAt: nullable(Instant),
  /** Whether the account has a second factor. */
  secondFactor: Type.Boolean(),
  userType: master,
  section: master,
  department: master,
  division: master,
  businessUnit: master,
  /** Sorted by name. Inactive roles grant nothing. */
  roles: Type.Array(
    Type.Object({
      uid: Type.String(),
      name: Type.String(),
      status,
      /** Whether a group of the identity provider gave it, so that the next sign-in replaces it. */
      fromGroup: Type.Boolean(),
    }),
  ),
  version: Type.Integer(),
});

/** The roles and masters that admins can assign to a person. */
export type PersonChoices = Static<typeof PersonChoices>;
export const PersonChoices = Type.Object({
  roles: Type.Array(
    Type.Object({
      uid: Type.String(),
      name: Type.String(),
      status,
      flags: Type.Array(Type.Enum([...accessFlags])),
      allLocations: Type.Boolean(),
      locations: Type.Array(Type.String()),
    }),
  ),
  /** The masters of all types that describe people (`personMasterTypes`). */
  masters: Type.Array(Type.Object({ ...NamedMaster.properties, type: Type.String(), active: Type.Boolean() })),
});

const person = Type.Object({ person: Uid });
const givenMaster = nullable(Type.String({ minLength: 1, maxLength: 64 }));

/** The values that admins edit. Masters are uids. */
const values = {
  name: Type.String({ minLength: 1, maxLength: 120 }),
  accountType: Type.Enum([...userTypes]),
  userType: givenMaster,
  section: givenMaster,
  department: givenMaster,
  division: givenMaster,
  businessUnit: givenMaster,
  roles: Type.Array(Uid, { maxItems: 50 }),
};

export type PersonFilter = Static<typeof PersonFilter>;
const PersonFilter = Type.Object(
  {
    text: Type.Optional(Type.String({ maxLength: 200, description: 'A part of the name or of the email address.' })),
    status: Type.Optional(status),
    role: Type.Optional(Uid),
    sort: Type.Optional(Type.Enum([...personColumns])),
    direction: Type.Optional(Type.Enum(['ascending', 'descending'])),
    ...pageQuery(maxPeople),
  },
  closedOptions,
);

export const listPeople = endpoint('GET', '/api/people', {
  summary: 'Lists people, sorted by name by default. Invited people are neither active nor inactive.',
  access: 'userManagement',
  query: PersonFilter,
  reply: Page(Person),
});

export const listPersonChoices = endpoint('GET', '/api/people-choices', {
  summary: 'Lists all roles with what they grant, and the masters that describe people.',
  access: 'userManagement',
  reply: PersonChoices,
});

export const getPerson = endpoint('GET', '/api/people/:person', {
  summary: 'One person with the version that a change is based on.',
  access: 'userManagement',
  params: person,
  reply: Person,
});

export type NewPerson = Static<typeof NewPerson>;
const NewPerson = Type.Object({ uid: NewUid, username: Username, ...values }, closedOptions);

export const createPerson = endpoint('POST', '/api/people', {
  summary:
    'Invite a person: create an account without a password and mail a link to the registration. Answers 409 if the ' +
    'email address has an account, and 403 if the roles allow more than those of the caller. A repeated request gets the ' +
    'first reply.',
  access: 'userManagement',
  status: 201,
  body: NewPerson,
  reply: Changed,
});

export type ChangedPerson = Static<typeof ChangedPerson>;
const ChangedPerson = Type.Object(
  {
    version: BaseVersion,
    status,
    ...values,
    removedGroupRoles: Type.Optional(
      Type.Array(Uid, { maxItems: 50, description: 'Roles from groups to take away. Other ones from groups stay.' }),
    ),
  },
  closedOptions,
);

export const updatePerson = endpoint('PUT', '/api/people/:person', {
  summary:
    'Change a person. INACTIVE ends their sessions; ACTIVE restores their former state. Answers 409 if another ' +
    'admin changed them since they were read, for their own account, and if no admin would be left. `roles` are ' +
    'the roles granted by hand, also roles that a group granted before.',
  access: 'userManagement',
  params: person,
  body: ChangedPerson,
  reply: Changed,
});

const people = Type.Array(Uid, { minItems: 1, maxItems: maxPeople });

export const setPeopleStatus = endpoint('POST', '/api/people/status', {
  summary: 'Activate or deactivate people, all of them or none. People of an unknown uid are left out.',
  access: 'userManagement',
  body: Type.Object({ people, status }, closedOptions),
  reply: Changed,
});

export const assignRole = endpoint('POST', '/api/people/roles', {
  summary: 'Give people a role, all of them or none. People of an unknown uid are left out.',
  access: 'userManagement',
  body: Type.Object({ people, role: Uid }, closedOptions),
  reply: Changed,
});

export const repeatInvitation = endpoint('POST', '/api/people/:person/invitation', {
  summary: 'Mail the invitation again, valid from now. Answers 409 if the account is active or inactive.',
  access: 'userManagement',
  limitPerMinute: 60,
  params: person,
  body: Empty,
  reply: Empty,
});
