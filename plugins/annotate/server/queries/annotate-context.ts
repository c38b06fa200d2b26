import type { ServerContext } from '#core/server';
import { annotateSchema, type AnnotateTables } from '../tables.ts';

export type AnnotateContext = Pick<ServerContext, 'database' | 'events' | 'locations' | 'log' | 'service'>;

export const getTables = (context: AnnotateContext) => context.database.of<AnnotateTables>(annotateSchema);
