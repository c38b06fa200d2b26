import type { ColumnType, Generated } from 'kysely';
import type { ServerContext } from '#core/server';
import type { CloudExtent, PointCloud } from '../../contract/cloud/api.ts';

/** The tables of point clouds in the Postgres schema `scan`; columns that end in `_file` or `_files` hold ids of files. */
export interface CloudTables {
  readonly cloud: {
    readonly code: string;
    readonly name: string;
    readonly location: string;
    readonly captured_at: ColumnType<Date | null, string | null, string | null>;
    readonly kind: PointCloud['kind'];
    /** As they were delivered, in order; none for a cloud of the demo. */
    readonly source_files: ColumnType<readonly string[], string, string>;
    /** A folder with `tileset.json`, or a COPC file; null until the import is done. */
    readonly data_file: string | null;
    readonly extent: ColumnType<CloudExtent | null, string | null, string | null>;
    readonly created_at: Generated<Date>;
  };
}

export const cloudTables = (context: Pick<ServerContext, 'database'>) => context.database.of<CloudTables>('scan');
