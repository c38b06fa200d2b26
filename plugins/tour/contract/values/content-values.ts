/** Whether things that fall and sparks pass through the floor of a deck. */
export const floorKinds = ['PLATED', 'GRATED', 'UNKNOWN'] as const;
export type FloorKind = (typeof floorKinds)[number];

export const linkKinds = ['WALK', 'STAIR', 'LADDER'] as const;

/** More nodes are created or changed by several requests. */
export const maxNodesPerRequest = 500;

/** Ties by which one node is aligned. */
export const maxTies = 100;
/** Other nodes that get the same correction in one change. */
export const maxAlignedTogether = 2000;
