/** Ties by which one node is aligned. */
export const maxTies = 100;

/** Other nodes that get the same correction in one change. */
export const maxAlignedTogether = 2000;
