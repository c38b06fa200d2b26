/** GRATED floors let sparks and dropped objects pass. */
export const floorKinds = ['PLATED', 'GRATED', 'UNKNOWN'] as const;
export type FloorKind = (typeof floorKinds)[number];

/** Walls of a deck, and points of a wall. */
export const maxWalls = 300;
export const maxWallPoints = 100;
/** Points of the course of a line. */
export const maxCoursePoints = 10_000;

export const linkKinds = ['WALK', 'STAIR', 'LADDER'] as const;

/** Larger sets of nodes are split into several requests. */
export const maxNodesPerRequest = 500;

/** A viewpoint agrees with the model up to this residual, degrees. */
export const maxAgreedDegrees = 0.5;
/** Maximum number of picture positions in one request. */
export const maxPlacesPerRequest = 2000;
