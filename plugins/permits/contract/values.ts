/** Types of permits, spelled as in the specification. */
export const permitTypes = ['general_permit', 'hot_work_permit', 'critical_permit'] as const;
export type PermitType = (typeof permitTypes)[number];

/**
 * Stages of a permit in the usual order. A stage names the next step: a permit in ISSUE is authorised, but not
 * issued yet.
 */
export const permitStages = ['APPROVE_AND_AUTHORISE', 'ISSUE', 'ACCEPT', 'LIVE', 'SUSPENDED', 'CLOSED'] as const;
export type PermitStage = (typeof permitStages)[number];

export const permitOutcomes = ['COMPLETE', 'INCOMPLETE', 'CANCELLED'] as const;

export const suspensionReasons = [
  'END_OF_SHIFT',
  'WAITING_PARTS',
  'CONDITIONS_CHANGED',
  'SIMOPS_CONFLICT',
  'DE_ISOLATION_FOR_TEST',
  'STOP_WORK',
  'GENERAL_ALARM',
  'EMERGENCY',
  'EXPIRED',
  'OTHER',
] as const;

export const assigneeRoles = ['JOB_PERFORMER', 'PERFORMING_AUTHORITY', 'AREA_AUTHORITY'] as const;
export type AssigneeRole = (typeof assigneeRoles)[number];

/** Further capacities in which an assignee signs a permit. */
export const assigneeCapacities = ['ASSET_APPROVAL_AUTHORITY', 'PERMIT_ISSUER', 'DELEGATE', 'SAFETY_OFFICER'] as const;

/** The 14 activities of the specification. */
export const highRiskActivities = [
  'WORK_AT_HEIGHT',
  'SCAFFOLDING',
  'LIFTING',
  'RIG_FLOOR_HANDLING',
  'SECURING_CARGO_LOADS',
  'MANUAL_HANDLING',
  'LIVE_ELECTRICAL',
  'ENERGY_ISOLATION',
  'DE_ISOLATION_RE_ENERGIZING',
  'CONFINED_SPACE',
  'EXCAVATION',
  'WORK_AROUND_MOBILE_EQUIPMENT',
  'WORK_NEAR_WATER',
  'HAZARDOUS_WASTE',
] as const;

export const visitPurposes = ['PRE_ISSUE', 'DURING_WORK', 'CLOSE_OUT'] as const;
export type VisitPurpose = (typeof visitPurposes)[number];
export const visitModes = ['PHYSICAL', 'VIRTUAL'] as const;
/** The stored states of a visit. OVERDUE is computed from PENDING and the time. */
export const storedVisitStatuses = ['DONE', 'PENDING', 'NA'] as const;
export type StoredVisitStatus = (typeof storedVisitStatuses)[number];
export type SiteVisitStatus = StoredVisitStatus | 'OVERDUE';

export const documentTypes = [
  'RISK_ASSESSMENT',
  'METHOD_STATEMENT',
  'DRAWING',
  'GAS_TEST',
  'ISOLATION',
  'PHOTO',
  'OTHER',
] as const;
export const crossReferenceKinds = ['SAME_JOB', 'ISOLATION', 'CONFLICT_CONTROLLED', 'FOLLOW_UP'] as const;
export const isolationMethods = ['VALVE', 'SPADE', 'ELECTRICAL', 'OTHER'] as const;
export const isolationStates = ['PLANNED', 'APPLIED', 'VERIFIED', 'REMOVED'] as const;

/** Hazardous area classification and hydrogen sulphide. */
export const zoneKinds = ['HAC', 'H2S'] as const;
export type ZoneKind = (typeof zoneKinds)[number];
/** The zones of each kind, most severe first. GREEN also applies outside of mapped H2S zones. */
export const zoneClassesOfKind = {
  HAC: ['ZONE-0', 'ZONE-1', 'ZONE-2'],
  H2S: ['RED', 'AMBER', 'YELLOW', 'GREEN'],
} as const;
