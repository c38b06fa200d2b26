import type { ColumnType } from 'kysely';

/** A row as PostgreSQL's `to_jsonb` converts it, or some of its columns. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** The tables of the Postgres schema `core` for the change journal. */
export interface ChangeTables {
  change: {
    uid: string;
    at: Date;
    /** uid of the person. */
    author: string;
    /** The plugin, or the part of core. */
    owner: string;
    action: string;
    /** uid of the changed entity. */
    subject: string;
    /** Name of the changed entity, or the id of a plugin's message that contains the name. */
    name: string;
    /** uid of the location to which the entity belongs. Empty if it belongs to none. */
    location: string;
    /** uid of the change that this one undoes. */
    undoes: string | null;
    /** uid of the change that undid this one, or of this change itself if its undo changed no row. */
    undone_by: string | null;
  };
  /**
   * A created row (`before` is null), a deleted row (`after` is null) or a changed row, which has only its changed
   * columns.
   */
  change_row: {
    change: string;
    /** The position in the order of writing. */
    number: number;
    table_name: string;
    key: ColumnType<JsonRow, string, string>;
    before: ColumnType<JsonRow | null, string | null, string | null>;
    after: ColumnType<JsonRow | null, string | null, string | null>;
  };
}
