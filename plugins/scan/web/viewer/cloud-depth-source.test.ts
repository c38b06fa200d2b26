import { describe, expect, it, vi } from 'vitest';
import type { Point3 } from '#core';
import type { HttpClient } from '#core/web';
import type { PointCloud } from '../../contract/api/cloud.ts';
import { CloudDepthSource } from './cloud-depth-source.ts';
import type { CloudSurfaces, HiddenCloud } from './cloud-surfaces.ts';

/** Builds a cloud 10 m long that begins `east` metres from the origin. */
const buildCloud = (uid: string, east: number): PointCloud => ({
  uid,
  name: uid,
  location: 'unit',
  capturedAt: null,
  kind: 'TILES',
  address: `/${uid}`,
  extent: { points: 1, minimum: [east, 0, 0], maximum: [east + 10, 10, 10], colored: false, withIntensity: false },
});
const westEye: Point3 = [5, 5, 5];
const eastEye: Point3 = [105, 5, 5];

function setup() {
  const token = { state: 'VALID', expiresAt: null };
  const replies: (() => void)[] = [];
  const call = vi.fn(
    (_method: string, path: string) =>
      new Promise((resolve) => {
        const reply = path.endsWith('/clouds') ? [buildCloud('west', 0), buildCloud('east', 100)] : { token };
        replies.push(() => resolve(reply));
      }),
  );
  const closed: string[] = [];
  const openHidden = vi.fn<CloudSurfaces['openHidden']>(async ({ url }) => ({
    pick: async () => undefined,
    findSurfacePoints: async () => new Float64Array(),
    close: () => void closed.push(url),
  }));
  const source = new CloudDepthSource({ call } as unknown as HttpClient, { openHidden } as unknown as CloudSurfaces);
  return { source, replies, openHidden, closed };
}

describe('CloudDepthSource', () => {
  it('[TOUR-21] opens a point cloud once for simultaneous requests', async () => {
    const { source, replies, openHidden, closed } = setup();
    const openings = [source.open('unit', westEye), source.open('unit', [6, 5, 5])];
    for (const reply of replies) reply();
    const [, latest] = await Promise.allSettled(openings);
    expect(latest).toMatchObject({ status: 'fulfilled' });
    expect([openHidden.mock.calls.length, closed]).toEqual([1, []]);
  });

  it('[TOUR-21] keeps the cloud of the latest eye if the reply for an earlier eye is late', async () => {
    const { source, replies, openHidden, closed } = setup();
    const early = source.open('unit', westEye);
    const latest = source.open('unit', eastEye);
    for (const reply of replies.slice(2)) reply();
    await latest;
    for (const reply of replies.slice(0, 2)) reply();
    await expect(early).rejects.toThrow();
    expect([openHidden.mock.calls.map(([{ url }]) => url), closed]).toEqual([['/east'], []]);
  });

  it('closes a cloud that is opened while the tour is closed', async () => {
    const { source, replies, openHidden, closed } = setup();
    let finish = (): void => undefined;
    openHidden.mockImplementationOnce(
      ({ url }) =>
        new Promise<HiddenCloud>((resolve) => {
          finish = () =>
            resolve({
              pick: async () => undefined,
              findSurfacePoints: async () => new Float64Array(),
              close: () => void closed.push(url),
            });
        }),
    );
    const opening = source.open('unit', westEye);
    for (const reply of replies) reply();
    await vi.waitFor(() => expect(openHidden).toHaveBeenCalled());
    source.close();
    finish();
    await Promise.allSettled([opening]);
    expect(closed).toEqual(['/west']);
  });

  it('opens no cloud for a tour that was closed before the reply', async () => {
    const { source, replies, openHidden } = setup();
    const opening = source.open('unit', westEye);
    source.close();
    for (const reply of replies) reply();
    await expect(opening).rejects.toThrow();
    expect(openHidden).not.toHaveBeenCalled();
  });
});
