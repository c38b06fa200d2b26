import type { ColumnType, Generated } from 'kysely';

/** An image as it is stored, with the id of its file. */
export interface StoredImage {
  readonly file: string;
  readonly name: string;
  readonly video: boolean;
}

/** The tables of the Postgres schema `media`. */
export interface MediaTables {
  /** One row per screen with backgrounds. Files of removed ones stay in the file store, because undo shows them again. */
  readonly background: {
    /** `LOGIN`, `LOCATION <uid>` or `TOUR <uid>`, with the uid of the location. */
    readonly subject: string;
    /** Null for the login screen. */
    readonly location: string | null;
    /** In their order. */
    readonly images: ColumnType<StoredImage[], string | undefined, string>;
    readonly version: Generated<number>;
  };
}
