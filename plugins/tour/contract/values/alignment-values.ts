/** Maximum number of tie points of one node. */
export const maxTies = 100;

/** Maximum number of other nodes that get the same correction in one change. */
export const maxAlignedTogether = 2000;
