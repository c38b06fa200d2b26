import type { ColumnType, Generated } from 'kysely';

/** Written as a number; the driver would return it as text. */
type Figure = ColumnType<string, number, number>;

/** The tables of the Postgres schema `expense`. */
export interface ExpenseTables {
  readonly estimation: {
    /** Uid of the site. */
    readonly location: string;
    /** Dollars. */
    readonly fixed_cost: Figure;
    /** Dollars per day. */
    readonly per_diem: Figure;
    /** Average duration of a trip, days. */
    readonly trip_days: Figure;
    /** Hours in tours that equal a physical day. */
    readonly tour_hours: Figure;
    /** Incremented with each change by an admin. */
    readonly row_version: Generated<number>;
  };
}
