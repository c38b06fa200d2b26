import { sql } from 'kysely';
import type { Tours } from '#plugins/tour';

/** A `Tours` service without nodes and tags. `changes` replaces methods. */
export const buildTours = (changes: Partial<Tours> = {}): Tours => ({
  tourAt: async () => 'tour-T1',
  nodesThatSee: async (_tour, shapes) => shapes.map(() => []),
  nodesAt: async () => [],
  nodesAtEach: async () => new Map(),
  nodesVersion: async () => '',
  tagsAt: async () => [],
  siteTags: async () => [],
  placeTags: async () => ({ change: null, placed: [] }),
  planNodes: async () => [],
  startNodeCreation: async () => ({ job: 'job', change: 'change' }),
  findTags: async () => new Map(),
  findNodes: async () => new Map(),
  filterNodes: async () => new Set(),
  tagNumbers: async () => new Map(),
  tagQuery: () => sql`select null::text as uid, null::text as number, null::text as location where false`,
  tourQuery: () => sql`select null::text as uid, null::text as code, null::text as location where false`,
  ...changes,
});
