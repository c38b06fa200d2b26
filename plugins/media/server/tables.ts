import type { ColumnType, Generated } from 'kysely';
import type { NoticeSeverity } from '#core';
import type { ContactCategory, BannerArea } from '#plugins/media';

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
  readonly contact: {
    readonly uid: Generated<string>;
    /** Unique at its location, ignoring case. */
    readonly name: string;
    readonly job_title: string | null;
    readonly category: ContactCategory;
    readonly email: string | null;
    /** E.164. */
    readonly phone: string | null;
    /** Null for a contact of everybody. */
    readonly location: string | null;
    readonly languages: ColumnType<string[], string | undefined, string>;
    readonly sequence: Generated<number>;
    readonly on_login: Generated<boolean>;
    readonly row_version: Generated<number>;
  };
  readonly item: {
    readonly uid: string;
    readonly title: string;
    readonly french_title: string | null;
    /** Id of the file. That of a deleted item stays in the file store, because undo shows it again. */
    readonly file: string;
    readonly video: boolean;
    /** Id of a WebVTT file. */
    readonly captions: string | null;
    readonly sequence: Generated<number>;
    readonly row_version: Generated<number>;
  };
  readonly notice: {
    readonly uid: string;
    readonly text: string;
    readonly french_text: string | null;
    readonly severity: NoticeSeverity;
    readonly area: BannerArea;
    /** Null for a notice to everybody. */
    readonly location: string | null;
    readonly on_login: Generated<boolean>;
    readonly starts_at: Date;
    /** Null for a notice that stays until it is taken back. */
    readonly ends_at: Date | null;
    readonly row_version: Generated<number>;
  };
  /** Who does not want to see a notice any more. */
  readonly notice_dismissal: {
    readonly notice: string;
    /** Uid of the person. */
    readonly account: string;
    /** The version of the notice that was dismissed. Later ones are shown again. */
    readonly row_version: number;
  };
}
