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
  /** Null if `name` is used in French as well. */
  frenchName: nullable(Type.String()),
});

export const listMasterTypes = endpoint('GET', '/api/masters/types', {
  summary: 'Lists all master types with their status.',
  access: 'signedIn',
  reply: Type.Array(MasterType),
});

export const listMasters = endpoint('GET', '/api/masters/types/:type', {
  summary: 'Lists the active masters of a type in their order. The list is empty if the type itself is inactive.',
  access: 'signedIn',
  params: Type.Object({ type: TypeCode }),
  reply: Type.Array(Master),
});
export * from './api/master-data.ts';
