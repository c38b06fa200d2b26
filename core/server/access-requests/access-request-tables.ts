import type { Generated, Selectable } from 'kysely';
import type { AccessSubject, AccessRequestStatus } from '#core';

import type { AccessTables } from '../access/access-tables.ts';

export interface AccessRequestTable {
  uid: string;
  /** uid of the person. */
  account: string;
  feature: AccessSubject;
  /** uid of a location as the person named it. Empty without one. */
  location: string;
  reason: string;
  status: AccessRequestStatus;
  created_at: Date;
  answered_at: Date | null;
  /** uid of the admin. */
  answered_by: string | null;
  /** uid of the granted role. */
  role: string | null;
  /** The reason for which the request was declined. */
  answer: string | null;
  version: Generated<number>;
}
export type AccessRequestRow = Selectable<AccessRequestTable>;

/** The tables of the schema `core` that an answered request changes. */
export interface AccessRequestTables extends Pick<AccessTables, 'user_role'> {
  access_request: AccessRequestTable;
}
