import { Type, type Static } from 'typebox';
import { endpoint, type Rule } from '#core';
import { BaseVersion, Changed, NewUid, nullable, Page, pageQuery, Uid } from '#core/api';
import { frenchNameRules, nameRules, sequenceRules } from '../rules.ts';
import { masterSorts, masterStatuses, masterTypes, maxMasterRows } from '../values.ts';

const TypeCode = Type.Enum([...masterTypes]);

/** A master type, as admins see it. */
export type MasterTypeDetails = Static<typeof MasterTypeDetails>;
export const MasterTypeDetails = Type.Object({
  code: TypeCode,
  active: Type.Boolean(),
  /** Number of masters of the type. */
  masters: Type.Integer(),
  activeMasters: Type.Integer(),
  /** Number of masters that were active when the type was deactivated. 0 for an active type. */
  formerlyActive: Type.Integer(),
  version: Type.Integer(),
});

/** A master, as admins see it. */
export type MasterData = Static<typeof MasterData>;
export const MasterData = Type.Object({
  uid: Type.String(),
  type: TypeCode,
  name: Type.String(),
  frenchName: nullable(Type.String()),
  /** False for all masters of an inactive type. */
  active: Type.Boolean(),
  sequence: Type.Integer(),
  parent: nullable(Type.Object({ uid: Type.String(), name: Type.String() })),
  version: Type.Integer(),
});

export type MasterDetails = Static<typeof MasterDetails>;
export const MasterDetails = Type.Object({
  ...MasterData.properties,
  typeActive: Type.Boolean(),
  /** What refers to the master. `message` is the id of a text with the placeholder `count`. */
  uses: Type.Array(Type.Object({ message: Type.String(), count: Type.Integer() })),
});

const access = 'configure';
const versionConflictNote = 'Answers 409 with the current data if it was changed since it was read.';
/** Longer than the rules allow, because their messages are clearer than those of the schema. */
const LongText = Type.String({ maxLength: 1000 });

const fields = {
  name: LongText,
  frenchName: nullable(LongText),
  active: Type.Boolean(),
  sequence: Type.Number(),
  /** Uid of a master of the parent type. */
  parent: nullable(Uid),
};
const rules = {
  name: nameRules as readonly Rule[],
  frenchName: frenchNameRules as readonly Rule[],
  sequence: sequenceRules as readonly Rule[],
};

export const listMasterTypeDetails = endpoint('GET', '/api/master-types', {
  summary: 'Lists the master types with their status and the numbers of their masters, for admins.',
  access,
  reply: Type.Array(MasterTypeDetails),
});

export const updateMasterType = endpoint('PUT', '/api/master-types/:type', {
  summary:
    'Activates or deactivates a master type with all its masters. `restore` activates only those masters that were ' +
    `active when the type was deactivated. ${versionConflictNote}`,
  access,
  params: Type.Object({ type: TypeCode }),
  body: Type.Object(
    { active: Type.Boolean(), restore: Type.Optional(Type.Boolean()), version: BaseVersion },
    { additionalProperties: false },
  ),
  reply: Changed,
});

export const listMasterData = endpoint('GET', '/api/master-data', {
  summary:
    `Lists masters for admins, in pages of at most ${maxMasterRows}. \`text\` is part of a name or a French name. ` +
    'Without a sort, masters are ordered by the code of their type, and then by the order in forms.',
  access,
  query: Type.Object(
    {
      text: Type.Optional(Type.String({ maxLength: 200 })),
      type: Type.Optional(TypeCode),
      status: Type.Optional(Type.Enum([...masterStatuses])),
      sort: Type.Optional(Type.Enum([...masterSorts])),
      descending: Type.Optional(Type.Literal('true')),
      ...pageQuery(maxMasterRows),
    },
    { additionalProperties: false },
  ),
  reply: Page(MasterData),
});

export const getMasterData = endpoint('GET', '/api/master-data/:master', {
  summary: 'Returns a master and what refers to it, for admins.',
  access,
  params: Type.Object({ master: Uid }),
  reply: MasterDetails,
});

export const createMaster = endpoint('POST', '/api/master-data', {
  summary: 'Creates a master. Answers 409 if its type has one with the name.',
  access,
  body: Type.Object({ uid: NewUid, type: TypeCode, ...fields }, { additionalProperties: false }),
  rules,
  status: 201,
  reply: Changed,
});

export const updateMaster = endpoint('PUT', '/api/master-data/:master', {
  summary: `Changes a master. Its type stays. Answers 409 if the type has another master with the name. ${versionConflictNote}`,
  access,
  params: Type.Object({ master: Uid }),
  body: Type.Object({ ...fields, version: BaseVersion }, { additionalProperties: false }),
  rules,
  reply: Changed,
});
