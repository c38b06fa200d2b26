import { describe, expect, it } from 'vitest';
import type { Point3 } from '#core';
import { buildNode } from '#plugins/tour/testing/web';
import type { ScanStation } from '../../../contract/api.ts';
import { toPicture, stationAt } from './station-at.ts';

const buildStation = (uid: string, position: Point3, changes: Partial<ScanStation> = {}): ScanStation => ({
  uid,
  name: uid,
  node: null,
  linkMode: 'NEAREST',
  location: 'lower',
  position,
  heading: 40,
  capturedAt: '2026-03-01T18:00:00.000Z',
  day: '2026-03-01',
  picture: null,
  ranges: null,
  ...changes,
});
const node = buildNode('N1', { position: [0, 0, 1.7] });
const findUid = (stations: readonly ScanStation[], eye: Point3 = node.position) => stationAt(stations, node, eye)?.uid;

describe('stationAt', () => {
  const ownStation = buildStation('OWN', [2, 0, 1.7], { node: 'node-N1' });
  const otherStation = buildStation('OTHER', [0.5, 0, 1.7], { node: 'node-N2' });

  it('[TOUR-05] prefers a station linked to the node over a nearer one of another node', () => {
    expect(findUid([otherStation, ownStation])).toBe('OWN');
    expect(findUid([otherStation])).toBeUndefined();
    expect(findUid([buildStation('HERE', node.position, { node: 'node-N2' }), ownStation])).toBe('OWN');
  });

  it('[TOUR-05] finds the newest of the stations at the nearest position', () => {
    const nearer = buildStation('NEARER', [1, 0, 1.7], { node: 'node-N1' });
    const newest = buildStation('NEWEST', [1.2, 0, 1.7], { node: 'node-N1', capturedAt: '2026-09-01T12:00:00.000Z' });
    expect([findUid([ownStation, nearer]), findUid([ownStation, nearer, newest])]).toEqual(['NEARER', 'NEWEST']);
    const newerButFar = buildStation('FAR', [8, 0, 1.7], { node: 'node-N1', capturedAt: '2026-09-01T12:00:00.000Z' });
    expect(findUid([nearer, newerButFar])).toBe('NEARER');
  });

  it('[TOUR-05] prefers a station at the eye over the stations of the node', () => {
    const loose = buildStation('LOOSE', [7, 0, 1.7]);
    expect([findUid([ownStation, loose], loose.position), findUid([ownStation, loose], [7, 1, 1.7])]).toEqual([
      'LOOSE',
      'OWN',
    ]);
  });

  it('[TOUR-05] finds a nearby station without a link, unless an admin removed its link', () => {
    expect(findUid([buildStation('NEAR', [9, 0, 1.7])])).toBe('NEAR');
    expect(findUid([buildStation('FAR', [11, 0, 1.7])])).toBeUndefined();
    expect(findUid([buildStation('DECK', [0, 0, 5.2])])).toBeUndefined();
    expect(findUid([buildStation('NONE', [1, 0, 1.7], { linkMode: 'CHOSEN' })])).toBeUndefined();
  });

  it('shows the panorama of the day of the station (in the time zone of the site), even if the node has a newer one', () => {
    const newer = buildNode('N1', {
      capturedAt: '2026-08-01T12:00:00.000Z',
      day: '2026-08-01',
      heading: 200,
      captures: [
        {
          capturedAt: '2026-02-28T22:30:00.000Z',
          day: '2026-03-01',
          heading: 40,
          picture: { ...node.picture!, id: 'of its day' },
        },
      ],
    });
    expect(toPicture(ownStation, [newer])).toMatchObject({ tiles: { id: 'of its day' }, heading: 40 });
    expect(
      toPicture(
        buildStation('S', [0, 0, 0], { node: 'node-N1', capturedAt: '2020-01-01T00:00:00.000Z', day: '2020-01-01' }),
        [newer],
      ),
    ).toBeUndefined();
  });
});
