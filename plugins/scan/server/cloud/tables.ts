import type { ColumnType, Generated } from 'kysely';
import type { SourceChoice, LocalizedError } from '#core';
import type { ServerContext } from '#core/server';
import type { FileContent, ScanPlace, StationReport } from '../../contract/api/admin.ts';
import type { CloudExtent, PointCloud } from '../../contract/api/cloud.ts';

/**
 * The tables of point clouds in the Postgres schema `scan`; columns that end in `_file` or `_files` hold ids of files.
 */
export interface CloudTables {
  readonly cloud: {
    readonly uid: string;
    readonly name: string;
    readonly location: string;
    readonly captured_at: ColumnType<Date | null, string | null, string | null>;
    readonly kind: PointCloud['kind'];
    /** As they were delivered, in order; none for a cloud of the demo. */
    readonly source_files: ColumnType<readonly string[], string, string>;
    /** A folder with `tileset.json`, or a COPC file; null until the import is done. */
    readonly data_file: string | null;
    readonly extent: ColumnType<CloudExtent | null, string | null, string | null>;
    /** Where the frame of the files lies in the site. */
    readonly place: ColumnType<ScanPlace, string, string>;
    /** The latest import. */
    readonly job: string | null;
    /** Why the latest import failed. */
    readonly message: string | null;
    /** Message id and values of `message`. */
    readonly refusal: ColumnType<LocalizedError | null, string | null, string | null>;
    /** What became of the scans of E57 files. */
    readonly stations: ColumnType<readonly StationReport[], string, string>;
    /** In what the files count, by the person who delivered them. */
    readonly unit: ColumnType<SourceChoice, SourceChoice | undefined, SourceChoice>;
    /** The unit and points read from each of `source_files`; none before the first import has ended. */
    readonly contents: ColumnType<readonly FileContent[], string | undefined, string>;
    readonly created_at: Generated<Date>;
  };
}

export const cloudTables = (context: Pick<ServerContext, 'database'>) => context.database.of<CloudTables>('scan');

/** What a row begins with beside what it is. */
export const newCloud = (place: ScanPlace) => ({
  place: JSON.stringify(place),
  job: null,
  message: null,
  refusal: null,
  stations: '[]',
});
