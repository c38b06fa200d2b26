import type { ColumnType, Generated } from 'kysely';
import type { LocalizedError } from '#core';
import type { ImportMode, ImportPhase, ImportValue, RowState, Severity } from '#plugins/imports';
import type { MatchedHeader } from '../common/match-headers.ts';

type Json<Value> = ColumnType<Value, string | undefined, string>;
export type Values = Readonly<Record<string, ImportValue>>;

/** A finding that concerns no row. */
export type BatchFinding = LocalizedError & { readonly column: string | null; readonly severity: Severity };

/** Numbers of rows. Rows with an error are in no other state. */
export interface SheetCounts {
  readonly rows: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly withErrors: number;
  readonly withWarnings: number;
}

/** The tables of the Postgres schema `imports`. */
export interface ImportsTables {
  /** One import. */
  batch: {
    uid: string;
    kind: string;
    /** Uid of the site. */
    site: string | null;
    /** Uids of the locations that the author can access, of an import with a site, or that the roles give. */
    locations: readonly string[];
    /** Whether the author can access all locations, of an import of locations. */
    all_locations: Generated<boolean>;
    mode: ImportMode;
    phase: ImportPhase;
    result: 'SUCCESS' | 'FAILED' | 'WARNING' | null;
    refusal: ColumnType<LocalizedError | null, string | null | undefined, string | null>;
    version: Generated<number>;
    job: string | null;
    author: string;
    author_name: string;
    created_at: Date;
    finished_at: Date | null;
    /** Uid of the change in the journal. */
    change: string | null;
    backup: Generated<boolean>;
    /** Whether the rows came by the API and not by files. */
    api: Generated<boolean>;
    findings: Json<readonly BatchFinding[]>;
    /** By sheet. */
    counts: Json<Readonly<Record<string, SheetCounts>>>;
  };
  file: {
    batch: string;
    name: string;
    position: number;
    /** Id in the file store. */
    file: string;
    media_type: string;
    bytes: number;
  };
  /** Prepared workbooks, which only their author may read. */
  download: { file: string; author: string; created_at: Date };
  sheet: {
    batch: string;
    sheet: string;
    present: boolean;
    headers: Json<readonly MatchedHeader[]>;
  };
  staged_row: {
    id: Generated<string>;
    batch: string;
    sheet: string;
    /** Number of the row in its sheet. Null for a row of the product that the files lack. */
    number: number | null;
    /** What the file contains, in the order of the headers. */
    cells: Json<readonly unknown[]>;
    /** Corrected values by column id. */
    edits: Json<Values>;
    /** Parsed values by column id; what was written if it is invalid. */
    values: Json<Values>;
    /** The values of the key columns in lower case, joined by U+001F. Null if one is empty. */
    key: string | null;
    /** Today's values of the row with the same key. */
    before: Json<Values | null>;
    /** The columns whose value is the default of a new row. */
    defaulted: Generated<readonly string[]>;
    state: Generated<RowState>;
  };
  finding: {
    batch: string;
    row: string;
    sheet: string;
    column_id: string | null;
    message: string;
    values: Json<LocalizedError['values'] | null>;
    severity: Severity;
    /** Whether it comes from checks against other rows, which are repeated after each change. */
    checked: boolean;
  };
  /** The column that was chosen for a header, by the key of the header. Null: ignored. */
  header_choice: { kind: string; sheet: string; header: string; column_id: string | null };
  /** The value that replaced a written one (folded) in a column with listed values. */
  value_choice: { kind: string; sheet: string; column_id: string; written: string; value: string };
}
