import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { nullable } from '#core/api';
import { masterTypes } from './values.ts';

const TypeCode = Type.Enum([...masterTypes]);

export type MasterType = Static<typeof MasterType>;
export const MasterType = Type.Object({ code: TypeCode, active: Type.Boolean() });

/** One entry of a type, such as `Inspection` of `TYPE_OF_WORK`. */
export type Master = Static<typeof Master>;
export const Master = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  /** Null: use `name`. */
  frenchName: nullable(Type.String()),
});

export const listMasterTypes = endpoint('GET', '/api/masters/types', {
  summary: 'All master types, each with its status.',
  access: 'signedIn',
  reply: Type.Array(MasterType),
});

export const listMasters = endpoint('GET', '/api/masters/types/:type', {
  summary: 'The active masters of a type, in the order of its list. None where the type itself is inactive.',
  access: 'signedIn',
  params: Type.Object({ type: TypeCode }),
  reply: Type.Array(Master),
});
