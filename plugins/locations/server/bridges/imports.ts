import { LocationWriter, type ServerBridge } from '#core/server';
import { ImportKinds } from '#plugins/imports';
import type { LocationsTables } from '../tables.ts';
import { createLocationsKind } from './imports/locations-kind.ts';

const bridge: ServerBridge<LocationsTables> = (_api, context) =>
  context.service(ImportKinds).register(createLocationsKind(context.service(LocationWriter), context.files));
export default bridge;
