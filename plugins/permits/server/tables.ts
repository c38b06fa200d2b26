import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Corner } from '#core';
import type { AssigneeRole, PermitStage, PermitType, StoredVisitStatus, ZoneKind } from '../contract/index.ts';

/** A timestamp that is read as `Date` and written as `Date` or ISO 8601 text. */
type Instant = ColumnType<Date, Date | string, Date | string>;

/** Columns of all tables whose rows belong to a permit. */
interface Part {
  readonly uid: string;
  /** Uid of the permit. */
  readonly permit: string;
}

/** The tables of the Postgres schema `permits`. */
export interface PermitsTables {
  readonly permit: {
    readonly uid: string;
    readonly site: string;
    /** Unique within the site, ignoring case. */
    readonly number: string;
    readonly name: string;
    readonly description: string;
    readonly type: PermitType;
    readonly stage: PermitStage;
    readonly stage_changed_at: Instant;
    /** Null unless the permit is closed. */
    readonly outcome: string | null;
    /** Null unless the permit is suspended. */
    readonly suspension_reason: string | null;
    readonly valid_from: Instant;
    readonly valid_to: Instant;
    readonly location: string;
    /** Uids of a tour and a node. */
    readonly tour: string | null;
    readonly node: string | null;
    /** Code of the location whose picture shows the permit. */
    readonly map: string | null;
    /** Code of a level of that location. */
    readonly level: string | null;
    /** Percents of the picture from its top left. */
    readonly map_x: number | null;
    readonly map_y: number | null;
    /** Metres in the site frame. */
    readonly elevation: number | null;
    /** Metres. */
    readonly work_radius: number | null;
    readonly hac_zone: string | null;
    readonly h2s_zone: string | null;
    readonly system: string | null;
    /** Tag numbers in the spelling of the site, including numbers of tags that the site does not have. */
    readonly tags: JSONColumnType<readonly string[]>;
    readonly work_order: string | null;
    /** Source of the latest change. */
    readonly source: 'IMPORT' | 'API';
    /** Incremented with each change. */
    readonly row_version: Generated<number>;
  };
  readonly assignee: Part & {
    readonly role: AssigneeRole;
    readonly name: string;
    readonly email: string | null;
    readonly company: string | null;
    readonly capacity: string | null;
    readonly signed_at: Instant | null;
  };
  readonly high_risk_activity: Part & { readonly activity: string; readonly controls: string | null };
  readonly site_visit: Part & {
    readonly purpose: string;
    /** Distinguishes visits of one purpose and role. */
    readonly number: number;
    readonly role: AssigneeRole;
    readonly status: StoredVisitStatus;
    /** If null, `computeDueAt` computes the due time. */
    readonly due_at: Instant | null;
    readonly done_at: Instant | null;
    readonly visitor: string | null;
    readonly mode: string;
    readonly na_reason: string | null;
    readonly notes: string | null;
  };
  readonly document: Part & {
    readonly title: string;
    readonly type: string;
    /** An https URL. */
    readonly url: string | null;
    /** Uid of a document of the tour. */
    readonly document_uid: string | null;
    readonly revision: string | null;
  };
  readonly cross_reference: Part & {
    /** Uid of the other permit. */
    readonly other: string;
    readonly kind: string;
  };
  readonly isolation: Part & {
    readonly certificate: string;
    readonly tag: string | null;
    readonly method: string;
    readonly state: string;
  };
  readonly zone: {
    readonly uid: string;
    readonly site: string;
    readonly kind: ZoneKind;
    /** Unique within site and kind, ignoring case. */
    readonly code: string;
    /** One of `zoneClassesOfKind`. */
    readonly zone: string;
    readonly name: string | null;
    readonly location: string;
    readonly map: string;
    readonly level: string | null;
    /** Corners in percents of the picture. */
    readonly points: JSONColumnType<readonly Corner[]>;
    readonly elevation_from: number | null;
    readonly elevation_to: number | null;
    readonly valid_from: Instant | null;
    readonly valid_to: Instant | null;
    readonly source_document: string | null;
    readonly revision: string | null;
    readonly active: boolean;
    readonly row_version: Generated<number>;
  };
  /** The history of permits. Rows are only added; the database refuses updates and deletions. */
  readonly permit_event: {
    readonly id: Generated<string>;
    /** Uid of the permit, which may have been deleted. */
    readonly permit: string;
    readonly number: string;
    readonly site: string;
    readonly location: string;
    /** Counts the events of a permit from 1. */
    readonly sequence: number;
    readonly at: Instant;
    /** Uid of the person who made the change. */
    readonly actor: string;
    readonly source: 'IMPORT' | 'API' | 'UNDO';
    readonly action: 'CREATED' | 'STAGE_CHANGED' | 'CHANGED' | 'DELETED';
    readonly from_stage: PermitStage | null;
    readonly to_stage: PermitStage | null;
    /** True if `to_stage` does not usually follow `from_stage`. */
    readonly unusual: boolean;
    /** Changed columns with their former and new values, and the number of changed rows of each part table. */
    readonly details: JSONColumnType<Readonly<Record<string, unknown>>>;
    /** Uid of the change in the journal. */
    readonly change: string;
  };
}
