/**
 * The subjects of entries: sign-ins and codes; accounts and roles; or all other data, such as locations and contents.
 */
export const auditAreas = ['SIGN_IN', 'PEOPLE', 'CONTENT'] as const;
export type AuditArea = (typeof auditAreas)[number];

/** Maximum number of entries per page of the audit log. */
export const maxAuditPage = 1000;
