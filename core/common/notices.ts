/** In ascending severity. People cannot dismiss a `CRITICAL` notice. */
export const noticeSeverities = ['INFO', 'WARNING', 'CRITICAL'] as const;
export type NoticeSeverity = (typeof noticeSeverities)[number];
