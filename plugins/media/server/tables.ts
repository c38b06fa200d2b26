import type { ColumnType, Generated } from 'kysely';
import type { NoticeSeverity } from '#core';
import type { ContactCategory, BannerArea } from '#plugins/media';

/** An image of a `background` row. */
export interface StoredImage {
  /** Id of the file. */
  readonly file: string;
  readonly name: string;
  readonly video: boolean;
}

/** The tables of the Postgres schema `media`. */
export interface MediaTables {
  /** One row per screen with backgrounds. Files of removed images are kept for an undo. */
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
    /** Null for a contact for everybody. */
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
    /** Id of the file. The file of a deleted item is kept for an undo. */
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
    /** Null for a notice for everybody. */
    readonly location: string | null;
    readonly on_login: Generated<boolean>;
    readonly starts_at: Date;
    /** Null if the notice is shown until it is taken back. */
    readonly ends_at: Date | null;
    readonly row_version: Generated<number>;
  };
  /** Notices that people have dismissed. */
  readonly notice_dismissal: {
    readonly notice: string;
    /** Uid of the person. */
    readonly account: string;
    /** The dismissed version of the notice. A later version is shown again. */
    readonly row_version: number;
  };
}
