/** ERROR: visitors reach a dead end or see something wrong. WARNING: content is still missing. */
export const contentSeverities = ['ERROR', 'WARNING'] as const;
export type ContentSeverity = (typeof contentSeverities)[number];

export const maxFindingPage = 500;
