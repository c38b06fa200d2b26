import type { ServerBridge } from '#core/server';
import { ImportKinds } from '#plugins/imports';
import { SiteContents } from '#plugins/tour';
import { zoneKinds } from '../../contract/index.ts';
import type { PermitsTables } from '../tables.ts';
import { createPermitsKind } from './imports/permits-kind.ts';
import { createZoneImportKind } from './imports/zones-kind.ts';

const bridge: ServerBridge<PermitsTables> = (_api, context) => {
  const kinds = context.service(ImportKinds);
  kinds.register(createPermitsKind(context.changes, context.service(SiteContents)));
  for (const kind of zoneKinds) kinds.register(createZoneImportKind(kind, context.changes));
};
export default bridge;
