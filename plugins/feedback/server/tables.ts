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
    /** Uids of masters; null if the question was not asked. */
    readonly type_of_work: string | null;
    readonly activity: string | null;
    /** 1 to 5. */
    readonly rating: number | null;
    readonly answered_at: ColumnType<Date, Date, never>;
    readonly valid_until: ColumnType<Date, Date, never>;
  };
}
export const feedbackSchema = 'feedback';
