import { mandatory } from './validators/mandatory.ts';
import { maxLength } from './validators/max.ts';
import { codeChars, nameChars } from './validators/special-chars.ts';

/** Maximum lengths of a role's ID and name, and maximum number of its locations. */
export const roleLimits = { uid: 50, name: 150, locations: 10_000 } as const;

/** A deactivated role allows nothing. */
export const roleStatuses = ['ACTIVE', 'INACTIVE'] as const;
export type RoleStatus = (typeof roleStatuses)[number];

/** Columns by which the list of roles is sorted. */
export const roleSorts = ['name', 'people', 'createdAt'] as const;

/** Maximum number of roles per page. */
export const maxRolePage = 200;

/** Rules of a changed role, by field. */
export const roleRules = { name: [mandatory, maxLength(roleLimits.name), nameChars] };
/** Rules of a new role, by field. */
export const newRoleRules = { uid: [mandatory, maxLength(roleLimits.uid), codeChars], ...roleRules };
