/** Maximum number of rows per page of the groups with roles. */
export const maxGroupRolePage = 500;
