import type { ServerBridge } from '#core/server';
import { ImportKinds } from '#plugins/imports';
import type { MediaTables } from '../tables.ts';
import { createContactsKind } from './imports/contacts-kind.ts';

const bridge: ServerBridge<MediaTables> = (_api, context) =>
  context.service(ImportKinds).register(createContactsKind(context.changes));
export default bridge;
