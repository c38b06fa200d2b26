import type { ColumnType, Generated } from 'kysely';
import type { LengthUnit, LocalizedError } from '#core';
import type { TransferredContent } from '#core/server';
import type {
  CsvSeparator,
  ImportMode,
  ImportPhase,
  ImportValue,
  ReadFormat,
  RowState,
  Severity,
  SiteImportPhase,
  UndoReport,
} from '#plugins/imports';
import type { MatchedHeader } from '../common/match-headers.ts';

type Json<Value> = ColumnType<Value, string | undefined, string>;
export type Values = Readonly<Record<string, ImportValue>>;

/** A finding that concerns no row. */
export type BatchFinding = LocalizedError & { readonly column: string | null; readonly severity: Severity };

/** Numbers of rows, unless said otherwise. A row with an error counts in no other state. */
export interface SheetCounts {
  readonly rows: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly withErrors: number;
  readonly withWarnings: number;
  /** Missing in imports of earlier versions. */
  readonly leftOut?: number;
  /** Number of cells that a person has corrected. Missing in imports of earlier versions. */
  readonly correctedCells?: number;
}

/** How the file of a sheet is read, as a person has chosen. Null: detected from the file. */
export interface FileLayout {
  readonly headerRow: number | null;
  readonly separator: CsvSeparator | null;
}

/** A sheet of a file, and the sheet of the kind as which it is read. */
export interface FileSheet {
  readonly name: string;
  readonly file: string;
  /** Id. Null if it is not imported. */
  readonly sheet: string | null;
  /** Null: not known by name, and nobody has chosen. */
  readonly by: 'NAME' | 'CHOSEN' | 'REMEMBERED' | null;
  /** If nobody has chosen: id of the sheet of the kind whose columns its headers name. */
  readonly proposal: string | null;
}

/**
 * The value that all rows of a sheet get in a column that its file lacks. A value that is only remembered is not used
 * yet.
 */
export interface Constant {
  readonly value: ImportValue;
  readonly by: 'CHOSEN' | 'REMEMBERED';
}

/** A word in cells of a sheet, and the value as which it is read, as chosen before. */
export interface ReplacedWord {
  readonly column: string;
  /** As in `fold`. */
  readonly written: string;
  readonly value: string;
  /** Number of cells without a correction when all rows were last read. */
  readonly cells: number;
}

/** By column id. */
export type Constants = Readonly<Record<string, Constant>>;

/** The tables of the Postgres schema `imports`. */
export interface ImportsTables {
  /** One import. */
  batch: {
    uid: string;
    kind: string;
    /** Uid of the site. */
    site: string | null;
    /**
     * With a site: uids of its locations that the author can access. Without: uids of the locations of the roles of the
     * author.
     */
    locations: readonly string[];
    /** For an import of locations: whether the author can access all of them. */
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
    /** Uid of the import that must be applied before the files of this one are read. */
    follows: ColumnType<string | null, string | null | undefined, never>;
    /** Uid of the change in the journal. */
    change: string | null;
    backup: Generated<boolean>;
    /**
     * Whether the rows come from another system, by an API call or the workbooks of an exported site: nobody is asked
     * how columns are read.
     */
    api: Generated<boolean>;
    /** Whether it is staged only to count its rows, for the check of a site import. */
    dry_run: Generated<boolean>;
    /** By sheet. */
    layouts: Json<Readonly<Record<string, FileLayout>>>;
    /** The sheets of its files, without those of our own workbooks that contain no rows, such as `README`. */
    file_sheets: Json<readonly FileSheet[]>;
    findings: Json<readonly BatchFinding[]>;
    /** By sheet. */
    counts: Json<Readonly<Record<string, SheetCounts>>>;
    /** Uid of the change of its last undo, if that kept rows or could not restore them. */
    partial_undo: ColumnType<string | null, undefined, string | null>;
  };
  /** The reports of the last undo of each import. */
  undo_report: { batch: string; report: Json<UndoReport> };
  file: {
    batch: string;
    name: string;
    position: number;
    /** Id in the file store. Empty for a picture that was deleted after the import. */
    file: string;
    media_type: string;
    bytes: number;
    /**
     * Whether it is a picture that was uploaded with the workbook. Its size in pixels is null until it is measured, and
     * if it is damaged.
     */
    picture: Generated<boolean>;
    width: Generated<number | null>;
    height: Generated<number | null>;
  };
  /** Prepared workbooks, which only their author may read. */
  download: { file: string; author: string; created_at: Date };
  /** Exports of sites by their authors. */
  site_export: {
    uid: string;
    site: string;
    site_name: string;
    language: 'en' | 'fr';
    author: string;
    job: ColumnType<string | null, string | undefined, string>;
    cancelled: Generated<boolean>;
    refusal: ColumnType<LocalizedError | null, string | undefined, string>;
    /** Id of the ZIP file. Null until it is complete. */
    file: ColumnType<string | null, string | undefined, string>;
    file_name: ColumnType<string | null, string | undefined, string>;
    bytes: ColumnType<string | number | null, number | undefined, number>;
    contents: Json<readonly TransferredContent[]>;
    created_at: Date;
    finished_at: ColumnType<Date | null, Date | undefined, Date>;
  };
  /** Imports of exported sites by their authors. */
  site_import: {
    uid: string;
    author: string;
    /** Id of the ZIP file. Null once it is deleted. */
    file: string | null;
    file_name: string;
    bytes: string | number;
    phase: SiteImportPhase;
    job: string | null;
    site: ColumnType<string | null, string | undefined, string>;
    site_name: ColumnType<string | null, string | undefined, string>;
    refusal: ColumnType<LocalizedError | null, string | undefined, string | null>;
    /** Whether the server was restarted while it was applied. */
    restarted: Generated<boolean>;
    contents: Json<readonly TransferredContent[]>;
    created_at: Date;
  };
  sheet: {
    batch: string;
    sheet: string;
    present: boolean;
    /** The number of the header row in the file. */
    header_row: ColumnType<number | null, number | undefined, number>;
    headers: Json<readonly MatchedHeader[]>;
    constants: Json<Constants>;
    /** The name of the file with its rows. Null in imports of earlier versions, and for rows of a call. */
    file: ColumnType<string | null, string | undefined, never>;
    replaced_words: Json<readonly ReplacedWord[]>;
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
    /**
     * The values of the key columns joined by U+001F, in lower case unless the column is `caseSensitive`. Null if a
     * required one is empty.
     */
    key: string | null;
    /** Today's values of the row with the same key. */
    before: Json<Values | null>;
    /** The columns whose value is the default of a new row. */
    defaulted: Generated<readonly string[]>;
    state: Generated<RowState>;
    /** Whether a person left the row out: it is neither checked nor written, and removes nothing. */
    left_out: Generated<boolean>;
  };
  /** The product's rows of a sheet while staged rows are compared with them. */
  current_row: { batch: string; sheet: string; key: string | null; values: Json<Values> };
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
  header_choice: {
    kind: string;
    sheet: string;
    header: string;
    column_id: string | null;
    /** The unit in which the column was read. Null if it has no lengths, or if the choice was made without a unit. */
    unit: LengthUnit | null;
  };
  /** How values of the column with a header were read that could be read in two ways. */
  format_choice: { kind: string; sheet: string; header: string; format: ReadFormat };
  /** The value that a person chose for all rows, for a column that a file lacks. */
  constant_choice: {
    kind: string;
    sheet: string;
    column_id: string;
    /** Uid of the site whose code the value is. Empty for other values. */
    site: string;
    value: ColumnType<ImportValue, string, string>;
  };
  /** The sheet that was chosen for the folded name of a sheet of a file. Null: not imported. */
  sheet_choice: {
    kind: string;
    name: string;
    sheet: string | null;
    /** Uid of the import in which it was chosen. Null for choices of versions that did not store it. */
    chosen_in: ColumnType<string | null, string | undefined, string>;
  };
  /** The value that replaced a written one (folded) in a column with listed values or references. */
  value_choice: {
    kind: string;
    sheet: string;
    column_id: string;
    written: string;
    value: string;
    /** Uid of the import in whose cells it was corrected one by one. Null if it was replaced in all rows. */
    corrected_in: ColumnType<string | null, string | null | undefined, string | null>;
  };
}
