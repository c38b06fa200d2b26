/** ERROR: visitors meet a dead end or something wrong. WARNING: something is not there yet. */
export const contentSeverities = ['ERROR', 'WARNING'] as const;
export type ContentSeverity = (typeof contentSeverities)[number];

export const maxFindingPage = 500;
