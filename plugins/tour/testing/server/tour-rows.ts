import type { Insertable } from 'kysely';
import type { Database } from '#core/server';
import type { CodeKind } from '#plugins/tour';
import { insertCodes } from '../../server/queries/codes.ts';
import { toSearchKey } from '../../server/queries/search-key.ts';
import { tourSchema, type TourTables } from '../../server/tables.ts';

type Row<T extends keyof TourTables> = Insertable<TourTables[T]>;

/** Uids that the builders of this file derive from codes. */
export const tourUid = (code: string): string => `tour-${code}`;
export const nodeUid = (code: string): string => `node-${code}`;
export const tagUid = (code: string): string => `tag-${code}`;
export const documentUid = (code: string): string => `document-${code}`;

/** A tour at the location `unit` of the site `site`. */
export const buildTourRow = (code: string, changes: Partial<Row<'tour'>> = {}): Row<'tour'> => ({
  uid: tourUid(code),
  site: 'site',
  code,
  name: `Tour ${code}`,
  location: 'unit',
  start_node: nodeUid('N1'),
  ...changes,
});

/** A node of the tour `T1` without tiles. */
export const buildNodeRow = (code: string, changes: Partial<Row<'node'>> = {}): Row<'node'> => ({
  uid: nodeUid(code),
  site: 'site',
  code,
  tour: tourUid('T1'),
  position: 0,
  name: `Node ${code}`,
  deck: null,
  location: 'lower',
  x: 0,
  y: 0,
  z: 2,
  heading: 0,
  view_pan: 0,
  view_tilt: 0,
  captured_at: '2026-03-01T10:00:00.000Z',
  panorama_file: 'none',
  range_file: null,
  thumbnail_file: null,
  pyramid_file: null,
  pyramid: null,
  ...changes,
});

export const buildTagRow = (code: string, changes: Partial<Row<'tag'>> = {}): Row<'tag'> => ({
  uid: tagUid(code),
  site: 'site',
  code,
  type: 'TAG',
  kind: 'VALVE',
  description: `Tag ${code}`,
  x: null,
  y: null,
  z: null,
  location: 'lower',
  line: null,
  search_key: toSearchKey(code),
  ...changes,
});

export const buildDocumentRow = (code: string, changes: Partial<Row<'document'>> = {}): Row<'document'> => ({
  uid: documentUid(code),
  site: 'site',
  code,
  title: `Document ${code}`,
  location: 'lower',
  ...changes,
});

/** Inserts tours, then nodes, tags and documents, with their codes. */
export async function insertTourRows(
  database: Pick<Database, 'of'>,
  rows: {
    readonly tours?: readonly Row<'tour'>[];
    readonly nodes?: readonly Row<'node'>[];
    readonly tags?: readonly Row<'tag'>[];
    readonly documents?: readonly Row<'document'>[];
  },
): Promise<void> {
  const tables = database.of<TourTables>(tourSchema);
  const { tours = [], nodes = [], tags = [], documents = [] } = rows;
  const toCodes = (kind: CodeKind, entities: readonly { uid: string; site: string; code: string }[]) =>
    entities.map(({ uid, site, code }) => ({ site, kind, code, entity: uid }));
  await insertCodes(tables, [
    ...toCodes('TOUR', tours),
    ...toCodes('NODE', nodes),
    ...toCodes('TAG', tags),
    ...toCodes('DOCUMENT', documents),
  ]);
  if (tours.length > 0) await tables.insertInto('tour').values(tours).execute();
  if (nodes.length > 0) await tables.insertInto('node').values(nodes).execute();
  if (tags.length > 0) await tables.insertInto('tag').values(tags).execute();
  if (documents.length > 0) await tables.insertInto('document').values(documents).execute();
}
