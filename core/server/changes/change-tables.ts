import type { ColumnType } from 'kysely';

/** A row as PostgreSQL's `to_jsonb` describes it, or some of its columns. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** The tables of the Postgres schema `core` with the changes of contents. */
export interface ChangeTables {
  change: {
    uid: string;
    at: Date;
    /** uid of the person. */
    author: string;
    /** The plugin. */
    owner: string;
    action: string;
    /** uid of the changed entity. */
    subject: string;
    /** Name of the changed entity. */
    name: string;
    /** uid of the location to which the entity belongs. */
    location: string;
    undoes: string | null;
    undone_by: string | null;
  };
  /** A created (`before` is null), deleted (`after` is null) or changed row. The latter has its changed columns only. */
  change_row: {
    change: string;
    /** Place in the order of writing. */
    number: number;
    table_name: string;
    key: ColumnType<JsonRow, string, string>;
    before: ColumnType<JsonRow | null, string | null, string | null>;
    after: ColumnType<JsonRow | null, string | null, string | null>;
  };
}
