import type { ServerContext } from '#core/server';
import type { VrTables } from '../tables.ts';

export type MarkerContext = Pick<ServerContext<VrTables>, 'tables' | 'locations' | 'files' | 'service'>;
