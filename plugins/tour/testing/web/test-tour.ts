import type { Deck, OpenedTour, TagDetails, TourNode } from '#plugins/tour';

/** Uids of the nodes that `buildNode` creates. */
export const nodeUid = (code: string): string => `node-${code}`;

/** A node. `changes` replaces properties. */
export function buildNode(code: string, changes: Partial<TourNode> = {}): TourNode {
  return {
    uid: nodeUid(code),
    code,
    formerCodes: [],
    name: `Node ${code}`,
    deck: 'deck-D1',
    location: 'lower',
    position: [0, 0, 1.7],
    heading: 0,
    view: { pan: 10, tilt: -5 },
    capturedAt: '2026-03-01T10:00:00.000Z',
    day: '2026-03-01',
    thumbnail: null,
    picture: {
      id: `picture-${code}`,
      address: `/api/files/${code}`,
      tileSize: 512,
      levels: [
        { width: 1024, height: 512, columns: 2, rows: 1 },
        { width: 2048, height: 1024, columns: 4, rows: 2 },
      ],
      mesh: true,
    },
    captures: [],
    ...changes,
  };
}

/** A deck of 40 by 20 metres whose plan points north. */
export function buildDeck(code: string, changes: Partial<Deck> = {}): Deck {
  return {
    uid: `deck-${code}`,
    code,
    formerCodes: [],
    name: `Deck ${code}`,
    elevation: 0,
    plan: { address: `/api/files/${code}`, width: 400, height: 200, centre: [20, 10], scale: 0.1, heading: 0 },
    ...changes,
  };
}

/** Three nodes on two decks: N1 - N2 - N3. */
export function buildTour(changes: Partial<OpenedTour> = {}): OpenedTour {
  return {
    tour: { uid: 'tour-T1', code: 'T1', name: 'Separation', location: 'unit', startNode: nodeUid('N1') },
    nodes: [
      buildNode('N1', { name: 'Separator area', position: [10, 5, 1.7] }),
      buildNode('N2', { name: 'Pump row', position: [14, 5, 1.7] }),
      buildNode('N3', { name: 'Upper walkway', deck: 'deck-D2', location: 'upper' }),
    ],
    links: [
      { from: nodeUid('N1'), to: nodeUid('N2'), kind: 'WALK', pan: 90, tilt: -20, distance: 4 },
      { from: nodeUid('N2'), to: nodeUid('N1'), kind: 'WALK', pan: 270, tilt: -20, distance: 4 },
      { from: nodeUid('N2'), to: nodeUid('N3'), kind: 'STAIR', pan: 0, tilt: 40, distance: 8 },
      { from: nodeUid('N3'), to: nodeUid('N2'), kind: 'STAIR', pan: 180, tilt: -50, distance: 8 },
    ],
    decks: [buildDeck('D1', { name: 'Lower' }), buildDeck('D2', { name: 'Upper', elevation: 8 })],
    complete: true,
    ...changes,
  };
}

export function buildTag(number: string, changes: Partial<TagDetails> = {}): TagDetails {
  return {
    uid: `tag-${number}`,
    number,
    formerNumbers: [],
    type: 'TAG',
    kind: 'VESSEL',
    description: 'First stage separator',
    position: [12, 8, 2],
    line: null,
    pipe: null,
    seenFrom: [
      { node: nodeUid('N2'), pan: 40, tilt: 3, distance: 3, visible: 1 },
      { node: nodeUid('N1'), pan: 30, tilt: 2, distance: 6, visible: 0.8 },
    ],
    documents: [],
    ...changes,
  };
}
