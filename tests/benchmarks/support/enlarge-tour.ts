import path from 'node:path';
import { pino } from 'pino';
import { openDatabase } from '../../../core/server/database/open-database.ts';

export interface TourCopies {
  /** Number of copies of each viewpoint, with its links, panoramas and the directions to its tags. */
  readonly viewpoints: number;
  /** Number of copies of each tag and line. At least as many as those of the viewpoints. */
  readonly tags: number;
}

/** SQL for the uid of a copy. */
const toCopyUid = (uid: string): string => `md5(${uid} || '-' || copy)::uuid::text`;

/** The copies of a viewpoint are in a grid around it, 0.9 metres apart. */
const gridColumns = 12;
const gridMetres = 0.9;

/**
 * Multiplies the viewpoints, tags and lines in the embedded database of a data folder. Copies have numbers and codes of
 * their own, and the pictures of their originals. Returns how many viewpoints and tags there are then.
 */
export async function enlargeTour(
  dataFolder: string,
  copies: TourCopies,
): Promise<{ readonly viewpoints: number; readonly tags: number }> {
  const folder = path.join(dataFolder, 'database');
  const database = await openDatabase({ kind: 'embedded', folder }, { log: pino({ level: 'silent' }), durable: false });
  const copyRows = (table: string, columns: string, count: number, condition = '') =>
    database.query(
      `insert into tour.${table} select ${columns} from tour.${table}, generate_series(1, ${count}) copy ${condition}`,
    );
  const offset = (position: string): string => `(${position} - ${gridColumns / 2}) * ${gridMetres}`;
  try {
    for (const [kind, count] of [
      ['NODE', copies.viewpoints],
      ['TAG', copies.tags],
    ] as const)
      await copyRows(
        'code',
        `site, kind, code || '-' || copy, ${toCopyUid('entity')}, replaced_at`,
        count,
        `where kind = '${kind}'`,
      );
    await copyRows(
      'node',
      `${toCopyUid('uid')}, site, code || '-' || copy, tour, position + 1000 * copy, name || ' ' || copy, deck, location,
       x + ${offset(`copy % ${gridColumns}`)}, y + ${offset(`copy / ${gridColumns}`)}, z, heading, view_pan, view_tilt,
       captured_at, panorama_file, range_file, thumbnail_file, pyramid_file, pyramid`,
      copies.viewpoints,
    );
    await copyRows(
      'link',
      `${toCopyUid('from_node')}, ${toCopyUid('to_node')}, kind, pan, tilt, distance`,
      copies.viewpoints,
    );
    await copyRows(
      'capture',
      `${toCopyUid('uid')}, ${toCopyUid('node')}, captured_at, heading, panorama_file, range_file, pyramid_file, pyramid`,
      copies.viewpoints,
    );
    await copyRows(
      'tag',
      `${toCopyUid('uid')}, site, code || '-' || copy, type, kind, description, x, y, z, location, ${toCopyUid('line')},
       search_key || copy`,
      copies.tags,
    );
    await copyRows(
      'tag_view',
      `${toCopyUid('tag')}, ${toCopyUid('node')}, pan, tilt, distance, visible`,
      copies.viewpoints,
    );
    await database.query('update tour.tour set version = version + 1');
    const [counts] = await database.query<{ readonly viewpoints: number; readonly tags: number }>(
      'select (select count(*) from tour.node) viewpoints, (select count(*) from tour.tag) tags',
    );
    if (!counts) throw new Error('The rows of the tour could not be counted.');
    return counts;
  } finally {
    await database.close();
  }
}
