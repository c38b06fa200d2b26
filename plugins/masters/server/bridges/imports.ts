import type { ServerBridge } from '#core/server';
import { ImportKinds } from '#plugins/imports';
import { createMastersKind } from './imports/masters-kind.ts';
import type { MastersTables } from '../tables.ts';

const bridge: ServerBridge<MastersTables> = (_api, context) =>
  context.service(ImportKinds).register(createMastersKind(context.changes));
export default bridge;
