import type { ServerContext } from '#core/server';
import { annotateSchema, type AnnotateTables } from '../tables.ts';

export type AnnotateContext = Pick<ServerContext, 'database' | 'locations' | 'service'>;

export const tablesOf = (context: AnnotateContext) => context.database.of<AnnotateTables>(annotateSchema);
