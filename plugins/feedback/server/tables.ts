import type { ColumnType } from 'kysely';

/** The tables of the Postgres schema `feedback`. */
export interface FeedbackTables {
  readonly form: {
    readonly uid: string;
    /** Uid of the account. */
    readonly author: string;
    /** Uid of the tour. */
    readonly tour: string;
    /** Uid of the location through which the person entered the tour. */
    readonly location: string;
    /** Uid of a master, or null if the form did not have the question. */
    readonly type_of_work: string | null;
    /** Uid of a master, or null if the form did not have the question. */
    readonly activity: string | null;
    /** 1 to 5, or null without a rating. */
    readonly rating: number | null;
    /** When the person rated the tour or skipped the question, or null before that. */
    readonly rated_at: Date | null;
    readonly answered_at: ColumnType<Date, Date, never>;
    readonly valid_until: ColumnType<Date, Date, never>;
  };
}
export const feedbackSchema = 'feedback';
