import { sql, type QueryExecutorProvider } from 'kysely';
import type { Point3 } from '#core';
import type { ServerContext } from '#core/server';
import type { ScanPose } from '../../../contract/api/admin.ts';
import { toImportFrame, toSiteFrame } from '../../stations/jobs/scan-frame.ts';
import type { ScanTables } from '../../tables.ts';
import type { ImportCursor } from './import-cloud.ts';

/** Called in the transaction that moves, replaces or deletes a cloud at a location. */
export type OnCloudChanged = (location: string, transaction: QueryExecutorProvider) => Promise<void>;

/**
 * Publishes a cloud whose tiles are stored and moves it and its stations to the new pose in one transaction, which is
 * safe to repeat. `saveProgress` runs in the same transaction. Returns undefined if the delivery was deleted.
 */
export async function publishCloud(
  { tables }: Pick<ServerContext<ScanTables>, 'tables'>,
  uid: string,
  storedCloud: ImportCursor,
  place: ScanPose,
  onReplaced: (transaction: QueryExecutorProvider) => Promise<void>,
  saveProgress: (cursor: ImportCursor, transaction: QueryExecutorProvider) => Promise<void>,
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
        kind: storedCloud.kind,
        data_file: storedCloud.file,
        extent: JSON.stringify(storedCloud.extent),
        contents: JSON.stringify(storedCloud.contents),
        place: JSON.stringify(place),
        message: null,
        refusal: null,
      })
      .where('uid', '=', uid)
      .execute();
    if (!isSamePose(row.place, place))
      await transaction
        .updateTable('station')
        .set(toMovedColumns(row.place, place))
        .where('delivery', '=', uid)
        .execute();
    if (row.data_file !== null && (row.data_file !== storedCloud.file || !isSamePose(row.place, place)))
      await onReplaced(transaction);
    const cursor = { ...storedCloud, former: row.data_file === storedCloud.file ? null : row.data_file };
    await saveProgress(cursor, transaction);
    return cursor;
  });
}

export const isSamePose = (a: ScanPose, b: ScanPose): boolean =>
  a.heading === b.heading && a.position.every((value, axis) => value === b.position[axis]);

/** Computes the new columns of a station that moves and rotates with the frame of its delivery. */
function toMovedColumns(previous: ScanPose, next: ScanPose) {
  const move = (point: Point3): Point3 => toSiteFrame(next, toImportFrame(previous, point));
  const [east, north, up] = move([0, 0, 0]);
  const [cos, minusSin] = toSiteFrame({ position: [0, 0, 0], heading: next.heading - previous.heading }, [1, 0, 0]);
  const toDouble = (value: number) => sql<number>`${value}::double precision`;
  return {
    x: sql<number>`${toDouble(east)} + x * ${toDouble(cos)} - y * ${toDouble(minusSin)}`,
    y: sql<number>`${toDouble(north)} + x * ${toDouble(minusSin)} + y * ${toDouble(cos)}`,
    z: sql<number>`${toDouble(up)} + z`,
    heading: sql<number>`heading + ${toDouble(next.heading - previous.heading)}
      - 360 * floor((heading + ${toDouble(next.heading - previous.heading)}) / 360)`,
  };
}
