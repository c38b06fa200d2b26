import type { RawBuilder, Transaction } from 'kysely';
import type { AccessFlag, Rule, SiteUnit } from '#core';
import type { ColumnType, ImportFileKind, ImportMode, ImportValue, LocalizedText } from './values.ts';

/** The site and the locations that an import concerns, as its kind sees them. */
export interface ImportScope {
  /** Uid of the site. Null for kinds without a site. */
  readonly site: string | null;
  /** Uids of the locations that the person can access: of the site, or of all sites for the scope LOCATIONS. */
  readonly locations: readonly string[];
  /** Whether the person can access all locations, and so create sites. For the scope LOCATIONS. */
  readonly all?: boolean;
  /** Time zone of the site, by which dates without an offset are read. */
  readonly timeZone: string;
  /** The unit of the site's files. Missing for kinds without a site. */
  readonly unit?: SiteUnit;
}

/** Where the value of a REFERENCE or the elements of a LIST must exist. Codes are compared ignoring case. */
export interface ColumnReference {
  /** The kind of the referenced things, as messages name it. */
  readonly entity: LocalizedText;
  /** A query with the columns `code text`, `active boolean`. */
  readonly find?: (scope: ImportScope) => RawBuilder<unknown>;
  /** A column of the same import whose values also count. */
  readonly within?: { readonly sheet: string; readonly column: string };
}

export interface ImportColumn {
  /** Key of the value in a row, such as `frenchName`. */
  readonly id: string;
  /**
   * If the English text of a NUMBER ends with a unit of length, such as `Z (m)`, values are stored in this unit. Values
   * of files with another unit are converted.
   */
  readonly header: LocalizedText;
  /** Other headers that people use. None of them may be a header of another column of the sheet. */
  readonly synonymHeaders?: readonly string[];
  /**
   * Whether a person must confirm each synonym, also one with a unit, because it leaves something open, such as the
   * frame of a coordinate.
   */
  readonly confirmsSynonyms?: boolean;
  readonly type: ColumnType;
  readonly required?: boolean;
  /**
   * Part of the key by which rows are compared with those of the product, ignoring case unless it is `caseSensitive`.
   * If it is not required, a missing value counts as its default or as an empty text.
   */
  readonly key?: boolean;
  /** For a key column whose values differ by case, such as ids in base64. */
  readonly caseSensitive?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly decimals?: number;
  readonly integerDigits?: number;
  /** Whether a DATETIME begins or ends a period. A day without a time then gets a warning with the instant that is read. */
  readonly periodEdge?: 'START' | 'END';
  /**
   * Allowed values of an ENUM with their labels, and other words that people write for them. All are accepted, whatever
   * their case, accents and hyphens.
   */
  readonly values?: readonly {
    readonly value: string;
    readonly label: LocalizedText;
    readonly words?: readonly string[];
  }[];
  /** Labels of further codes that messages about the column contain. */
  readonly terms?: NonNullable<ImportColumn['values']>;
  /** Further texts of an ENUM, each accepted as one of its values with a warning. */
  readonly synonyms?: readonly { readonly text: string; readonly value: string; readonly warning: string }[];
  readonly reference?: ColumnReference;
  /**
   * Ids of columns of the sheet whose values decide which values this column may have. `checkEach` and `check` find
   * nothing in a cell of this column until the cells of its row in those columns have no errors.
   */
  readonly dependsOn?: readonly string[];
  /** Value of an empty cell, and of a new row if the column is missing. */
  readonly default?: string | number | boolean;
  /** Further rules for texts. */
  readonly rules?: readonly Rule[];
  /**
   * The value is the name of a picture of exactly this size in pixels. It is uploaded together with the workbook,
   * unless it is the present picture of the row. Exports of sites leave the column out: their folders contain the
   * files.
   */
  readonly picture?: { readonly width: number; readonly height: number };
  /** Purpose and rule, shown as a comment of the column. */
  readonly note?: LocalizedText;
}

/** A staged import, as the checks of its kind see it. */
export interface CheckContext {
  readonly scope: ImportScope;
  readonly mode: ImportMode;
  /** Uid of the person who began the import. */
  readonly author: string;
  /**
   * The staged rows of a sheet: a query with the columns `id bigint`, `number integer` (of the row in its sheet), `key
   * text`, `values jsonb` (by column id; only columns that the file has), `before jsonb` (today's values) and `state
   * text`. The key has the key columns, in lower case unless they are `caseSensitive`, joined by U+001F.
   */
  rows(sheet: string): RawBuilder<unknown>;
  /** The rows of a sheet that a person left out, which remove nothing: a query with the columns `key` and `values`. */
  leftOut(sheet: string): RawBuilder<unknown>;
}

export interface RecheckContext extends CheckContext {
  /**
   * The corrected rows of a sheet, each before and after its correction, and the rows whose removal was added or
   * dropped: a query with the columns `id`, `key`, `values`, `before` and `state`. Empty for sheets without such rows.
   */
  corrected(sheet: string): RawBuilder<unknown>;
}

export interface ImportSheet {
  readonly id: string;
  /** Name of the sheet in workbooks. */
  readonly name: string;
  readonly columns: readonly ImportColumn[];
  /**
   * The table with the rows of the sheet, as registered in the owner's change journal. The report of an undo shows the
   * name of the sheet for rows of this table.
   */
  readonly journalTable?: string;
  /** The import is refused if a workbook lacks the sheet. Default: true. */
  readonly required?: boolean;
  /** Whether REPLACE removes rows that the files lack. */
  readonly removable?: boolean;
  /**
   * Today's rows: a query with the column `values jsonb` (all columns by id, in the form of staged values, null
   * included). Used by exports, previews and the check before applying.
   */
  readonly current: (scope: ImportScope) => RawBuilder<unknown>;
  /**
   * Checks each row by itself against the database: a query like that of `check`. It runs once for each group of rows,
   * so that a large import does not keep others waiting: `rows` of this sheet has the rows of one group, without those
   * with the state REMOVED.
   */
  readonly checkEach?: (context: CheckContext) => RawBuilder<unknown>;
  /**
   * Checks rows against each other and the database: a query with the columns `id` (of the staged row), `column_id
   * text`, `message text`, `values jsonb` and `severity text`.
   */
  readonly check?: (context: CheckContext) => RawBuilder<unknown>;
  /**
   * Selects the rows of this sheet to check again after a correction: a query with the column `id`. It must select the
   * rows whose findings by `check` depend on the values, keys or states of corrected rows. The corrected rows and rows
   * with equal keys are always checked again. Additional rows do no harm. If a sheet with `check` lacks this query,
   * each correction checks the whole import again.
   */
  readonly selectRowsToRecheck?: (context: RecheckContext) => RawBuilder<unknown>;
}

/** The part of the server's `RecordedTransaction` that imports use. */
export interface ImportTransaction<Tables> {
  readonly tables: Transaction<Tables>;
  lockAndRecord<Name extends keyof Tables & string>(
    table: Name,
    column: keyof Tables[Name] & string,
    values: readonly string[],
  ): Promise<void>;
}

/** The part of the server's `ContentChanges` that imports use. */
export interface ImportChanges<Tables> {
  apply(
    author: { readonly caller: { readonly uid: string }; readonly requestId: string },
    change: {
      readonly uid: string;
      readonly action: string;
      readonly subject: string;
      readonly name: string;
      readonly location: string;
    },
    write: (recordedTransaction: ImportTransaction<Tables>) => Promise<void>,
  ): Promise<{ readonly change: string | null }>;
}

/** A picture that a row newly names. It is stored before the transaction of the import. */
export interface NewPicture {
  /** Id of the column. */
  readonly column: string;
  /** The values that the row will have. */
  readonly values: Readonly<Record<string, ImportValue>>;
  /** Name of the uploaded file. */
  readonly name: string;
  /** Path of a local copy, a JPEG, PNG or WebP of the size of the column. */
  readonly path: string;
}

export interface ApplyContext<Tables> extends CheckContext {
  /** Ids of the files that `storePicture` stored, by the id of the row and then of the column. */
  readonly pictures: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Whether the rows come from uploaded files, or from another system by an API call or an exported site. */
  readonly origin: 'FILES' | 'CALL';
  /** The transaction of the import, which records changes. Everything is written with it. */
  readonly recordedTransaction: ImportTransaction<Tables>;
}

/** A file that people upload for an import. */
export interface ImportFile {
  readonly title: LocalizedText;
  readonly kind: ImportFileKind;
  readonly required: boolean;
}

/** A kind of imports, contributed by the plugin that owns the data. */
export interface ImportKind<Tables> {
  /** Begins with the plugin's id. */
  readonly id: string;
  readonly title: LocalizedText;
  readonly order: number;
  /** A flag that people need in addition to `import`. */
  readonly access?: AccessFlag;
  /** SITE: rows of one site. LOCATIONS: rows of all locations that the person can access. */
  readonly scope: 'NONE' | 'SITE' | 'LOCATIONS';
  /**
   * Id of the kind that the rows refer to. Imports of that kind offer to add a workbook of this kind, which is read
   * once they are applied. They need it if they remove rows of a site that has rows of this kind. Only for the scope
   * SITE.
   */
  readonly follows?: string;
  /** Whether rows are people, which exports of sites leave out. Default: false. */
  readonly personal?: boolean;
  /** Whether exports of sites have the rows in another content, and thus no workbook of this kind. Default: false. */
  readonly inOtherContent?: boolean;
  /** Name of exported workbooks; `code` is that of the site. */
  readonly fileName: (code: string) => string;
  /** Name of workbooks with errors. Default: the name of the uploaded one with `_ERROR`. */
  readonly errorFileName?: (code: string) => string;
  readonly files: readonly ImportFile[];
  /** Parents before children. */
  readonly sheets: readonly ImportSheet[];
  /** An effect of applying rows that an undo cannot take back. It is shown before rows are applied. */
  readonly sideEffect?: LocalizedText;
  /** Purpose and rules, for the sheet `README`. */
  readonly readme: readonly LocalizedText[];
  /** Texts of the messages of checks, by message id, for workbooks. Texts of core and imports need not be listed. */
  readonly messages?: Readonly<Record<keyof LocalizedText, Readonly<Record<string, string>>>>;
  /** The journal of the owner's tables, by which an import is written and undone. */
  readonly changes: ImportChanges<Tables>;
  /**
   * Stores a picture of a row and returns its id. Needed if columns name pictures. Stored pictures are removed if the
   * import fails.
   */
  readonly storePicture?: (picture: NewPicture) => Promise<string>;
  /** Writes rows with the states ADDED, CHANGED and REMOVED, with a constant number of statements. */
  readonly apply: (context: ApplyContext<Tables>) => Promise<void>;
}
