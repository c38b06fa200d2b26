import type { ServerBridge } from '#core/server';
import { ImportKinds } from '#plugins/imports';
import { Tours } from '#plugins/tour';
import type { ModelTables } from '../tables.ts';
import { createMappingKind } from './imports/mapping-kind.ts';

const bridge: ServerBridge<ModelTables> = (_api, context) =>
  context.service(ImportKinds).register(createMappingKind(context.changes, () => context.service(Tours)));
export default bridge;
