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
