import type { Generated } from 'kysely';
import type { MasterTypeCode } from '#plugins/masters';

/** The tables of the Postgres schema `masters`. */
export interface MastersTables {
  readonly master_type: {
    readonly code: MasterTypeCode;
    readonly active: boolean;
    /** Position in the list of types. */
    readonly position: number;
    /** Incremented with each change by an admin. */
    readonly row_version: Generated<number>;
  };
  readonly master: {
    readonly uid: string;
    readonly type: MasterTypeCode;
    /** Unique in its type, ignoring case. */
    readonly name: string;
    readonly french_name: string | null;
    readonly active: boolean;
    /** Whether it was active when its type was deactivated. False while the type is active. */
    readonly was_active: Generated<boolean>;
    /** Position in the list of its type; ties are sorted by name. */
    readonly position: number;
    /** A master of the parent type, such as the division of a department. */
    readonly parent: string | null;
    /** Incremented with each change by an admin. */
    readonly row_version: Generated<number>;
  };
}
export const mastersSchema = 'masters';
