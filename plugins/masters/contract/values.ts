/** The static master types, as the specification spells them. */
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
