import type { ServerContext } from '#core/server';
import type { AnnotateTables } from '../tables.ts';

export type AnnotateContext = Pick<
  ServerContext<AnnotateTables>,
  'tables' | 'events' | 'locations' | 'log' | 'service'
>;
