export const contentChangeKinds = [
  'deckCreated',
  'deckChanged',
  'deckDeleted',
  'planSaved',
  'planPlaced',
  'tourCreated',
  'tourChanged',
  'tourDeleted',
  'nodesCreated',
  'nodesMoved',
  'nodesChanged',
  'nodesAligned',
  'nodesDeleted',
  'linksSaved',
  'linksRemoved',
] as const;
export type ContentChangeKind = (typeof contentChangeKinds)[number];
