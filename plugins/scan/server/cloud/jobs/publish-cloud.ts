import { sql, type QueryExecutorProvider } from 'kysely';
import type { Point3 } from '#core';
import type { ServerContext } from '#core/server';
import type { ScanPlace } from '../../../contract/api/admin.ts';
import { fromSite, inSite } from '../../stations/jobs/scan-frame.ts';
import type { ScanTables } from '../../tables.ts';
import type { ImportCursor } from './import-cloud.ts';

/**
 * Publishes a cloud whose tiles are stored and moves it and its stations to the new placement in one transaction, which
 * may be repeated. `note` saves the progress of the import in it. Undefined if the delivery no longer exists.
 */
export async function publishCloud(
  { tables }: Pick<ServerContext<ScanTables>, 'tables'>,
  uid: string,
  made: ImportCursor,
  place: ScanPlace,
  note: (cursor: ImportCursor, transaction: QueryExecutorProvider) => Promise<void>,
): Promise<ImportCursor | undefined> {
  return tables.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('cloud')
      .select(['place', 'data_file'])
      .where('uid', '=', uid)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return undefined;
    await transaction
      .updateTable('cloud')
      .set({
        kind: made.kind,
        data_file: made.file,
        extent: JSON.stringify(made.extent),
        contents: JSON.stringify(made.contents),
        place: JSON.stringify(place),
        message: null,
        refusal: null,
      })
      .where('uid', '=', uid)
      .execute();
    if (!isSamePlace(row.place, place))
      await transaction
        .updateTable('station')
        .set(movedStation(row.place, place))
        .where('delivery', '=', uid)
        .execute();
    const cursor = { ...made, former: row.data_file === made.file ? null : row.data_file };
    await note(cursor, transaction);
    return cursor;
  });
}

export const isSamePlace = (a: ScanPlace, b: ScanPlace): boolean =>
  a.heading === b.heading && a.position.every((value, axis) => value === b.position[axis]);

/** Columns of a station, moved and rotated with the frame of its delivery. */
function movedStation(before: ScanPlace, after: ScanPlace) {
  const move = (point: Point3): Point3 => inSite(after, fromSite(before, point));
  const [east, north, up] = move([0, 0, 0]);
  const turn = inSite({ position: [0, 0, 0], heading: after.heading - before.heading }, [1, 0, 0]);
  const number = (value: number) => sql<number>`${value}::double precision`;
  return {
    x: sql<number>`${number(east)} + x * ${number(turn[0])} - y * ${number(turn[1])}`,
    y: sql<number>`${number(north)} + x * ${number(turn[1])} + y * ${number(turn[0])}`,
    z: sql<number>`${number(up)} + z`,
    heading: sql<number>`heading + ${number(after.heading - before.heading)}
      - 360 * floor((heading + ${number(after.heading - before.heading)}) / 360)`,
  };
}
