import type { ServerBridge } from '#core/server';
import { ImportKinds } from '#plugins/imports';
import type { TourTables } from '../tables.ts';
import { createTagsKind } from './imports/tags-kind.ts';

const bridge: ServerBridge<TourTables> = (_api, context) =>
  context.service(ImportKinds).register(createTagsKind(context.changes));
export default bridge;
