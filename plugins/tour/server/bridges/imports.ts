import type { ServerBridge } from '#core/server';
import { ImportKinds } from '#plugins/imports';
import type { TourTables } from '../tables.ts';
import { createTourKind } from './imports/tour-kind.ts';

const bridge: ServerBridge<TourTables> = (_api, context) =>
  context.service(ImportKinds).register(createTourKind(context.changes));
export default bridge;
