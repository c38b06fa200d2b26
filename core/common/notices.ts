/** From the least severe. Critical ones cannot be dismissed. */
export const noticeSeverities = ['INFO', 'WARNING', 'CRITICAL'] as const;
export type NoticeSeverity = (typeof noticeSeverities)[number];
