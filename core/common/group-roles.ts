/** Rows per page of the groups with roles at most. */
export const maxGroupRolePage = 500;
