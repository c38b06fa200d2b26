import type { ServerContext } from '#core/server';
import { vrSchema, type VrTables } from '../tables.ts';

export type MarkerContext = Pick<ServerContext, 'database' | 'locations' | 'files' | 'service'>;

export const markerTables = (context: Pick<ServerContext, 'database'>) => context.database.of<VrTables>(vrSchema);
