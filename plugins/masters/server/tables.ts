import type { MasterTypeCode } from '#plugins/masters';

/** The tables of the Postgres schema `masters`. */
export interface MastersTables {
  readonly master_type: {
    readonly code: MasterTypeCode;
    readonly active: boolean;
    /** Place in the list of types. */
    readonly position: number;
  };
  readonly master: {
    readonly uid: string;
    readonly type: MasterTypeCode;
    /** Once in a type, whatever its case. */
    readonly name: string;
    readonly french_name: string | null;
    readonly active: boolean;
    /** Place in the list of its type; equal ones go by name. */
    readonly position: number;
    /** Of the type above, such as the division of a department. */
    readonly parent: string | null;
  };
}
export const mastersSchema = 'masters';
