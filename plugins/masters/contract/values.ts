/** The static master types, spelled as in the specification. */
export const masterTypes = [
  'TYPE_OF_WORK',
  'ACTIVITY',
  'USER_TYPE',
  'SECTION',
  'DEPARTMENT',
  'DIVISION',
  'BUSINESS_UNIT',
] as const;
export type MasterTypeCode = (typeof masterTypes)[number];

/** The type of the parents of a type, such as the departments of sections. Other types have none. */
export const masterParentTypes: Partial<Record<MasterTypeCode, MasterTypeCode>> = {
  SECTION: 'DEPARTMENT',
  DEPARTMENT: 'DIVISION',
  DIVISION: 'BUSINESS_UNIT',
};

export const masterStatuses = ['ACTIVE', 'INACTIVE'] as const;

/** Columns by which lists of masters are sorted. */
export const masterSorts = ['name', 'sequence'] as const;

/** Masters per page at most. */
export const maxMasterRows = 200;
