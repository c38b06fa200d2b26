import type { UserType } from './access.ts';

/** Columns by which the list of people is sorted. */
export const personColumns = [
  'name',
  'username',
  'status',
  'userType',
  'accountType',
  'createdAt',
  'section',
  'department',
  'division',
  'businessUnit',
  'roles',
] as const;
export type PersonColumn = (typeof personColumns)[number];

/** INVITED has no password yet, REGISTERED is not activated yet, INACTIVE was deactivated by an admin. */
export const personStatuses = ['INVITED', 'REGISTERED', 'ACTIVE', 'INACTIVE'] as const;
export type PersonStatus = (typeof personStatuses)[number];

/** The properties of a person that are masters, with the types of these masters. */
export const personMasterTypes = {
  userType: 'USER_TYPE',
  section: 'SECTION',
  department: 'DEPARTMENT',
  division: 'DIVISION',
  businessUnit: 'BUSINESS_UNIT',
} as const;
export type PersonMaster = keyof typeof personMasterTypes;
export const personMasters = Object.keys(personMasterTypes) as readonly PersonMaster[];

/** Whether somebody may use the admin area. The specification calls it the user type of a login. */
export type AccountType = UserType;

/** Maximum number of people per page, and per change of several people. */
export const maxPeople = 1000;
