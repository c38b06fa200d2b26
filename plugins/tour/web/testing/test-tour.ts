import type { OpenedTour, TagDetails, TourNode } from '#plugins/tour';

/** A node for tests, changed where a test says so. */
export function buildNode(code: string, changes: Partial<TourNode> = {}): TourNode {
  return {
    code,
    name: `Node ${code}`,
    deck: 'D1',
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

/** Three nodes on two decks: N1 - N2 - N3. */
export function buildTour(changes: Partial<OpenedTour> = {}): OpenedTour {
  const extent = { west: 0, south: 0, east: 40, north: 20 };
  return {
    tour: { code: 'T1', name: 'Separation', location: 'unit', startNode: 'N1' },
    nodes: [
      buildNode('N1', { name: 'Separator area', position: [10, 5, 1.7] }),
      buildNode('N2', { name: 'Pump row', position: [14, 5, 1.7] }),
      buildNode('N3', { name: 'Upper walkway', deck: 'D2', location: 'upper' }),
    ],
    links: [
      { from: 'N1', to: 'N2', kind: 'WALK', pan: 90, tilt: -20, distance: 4 },
      { from: 'N2', to: 'N1', kind: 'WALK', pan: 270, tilt: -20, distance: 4 },
      { from: 'N2', to: 'N3', kind: 'STAIR', pan: 0, tilt: 40, distance: 8 },
      { from: 'N3', to: 'N2', kind: 'STAIR', pan: 180, tilt: -50, distance: 8 },
    ],
    decks: [
      { code: 'D1', name: 'Lower', elevation: 0, map: '/api/files/d1', extent },
      { code: 'D2', name: 'Upper', elevation: 8, map: '/api/files/d2', extent },
    ],
    visited: [],
    ...changes,
  };
}

export function buildTag(number: string, changes: Partial<TagDetails> = {}): TagDetails {
  return {
    number,
    type: 'TAG',
    kind: 'VESSEL',
    description: 'First stage separator',
    position: [12, 8, 2],
    line: null,
    pipe: null,
    seenFrom: [
      { node: 'N2', pan: 40, tilt: 3, distance: 3 },
      { node: 'N1', pan: 30, tilt: 2, distance: 6 },
    ],
    ...changes,
  };
}
