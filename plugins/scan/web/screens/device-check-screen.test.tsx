import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { routeUrl } from '#core';
import { buildMe, renderApp } from '#core/testing/web';
import { WebGlUnavailable } from '#plugins/tour';
import { FakeEngine, createServicesWith, tourWeb } from '#plugins/tour/testing/web';
import { deviceCheck } from '../../contract/index.ts';
import scanWeb from '../index.ts';
import { servicesWithClouds, type FakeCloud } from '../../testing/web/fake-cloud.ts';

async function setup(engine = new FakeEngine(), flags: readonly 'scanAccess'[] = ['scanAccess']) {
  const createdClouds: FakeCloud[] = [];
  const rendered = await renderApp({
    plugins: [
      { id: 'tour', settings: {}, web: { ...tourWeb, services: createServicesWith(engine) }, bridges: [] },
      {
        id: 'scan',
        settings: { token: false },
        web: { ...scanWeb, services: servicesWithClouds((cloud) => createdClouds.push(cloud)) },
        bridges: [],
      },
    ],
    me: buildMe({ access: { flags: [...flags], locations: 'ALL', deactivatedRoles: [] } }),
    url: routeUrl(deviceCheck, {}),
  });
  return { ...rendered, engine, createdClouds };
}

describe('device check of scans', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('[RTE-09] shows the sample as a panorama with ranges at console/view2', async () => {
    expect(routeUrl(deviceCheck, {})).toBe('/console/view2');
    const { engine } = await setup();
    expect(await screen.findByRole('heading', { level: 1, name: 'Scan check' })).toBeDefined();
    await waitFor(() => expect(screen.getByText('Fake')).toBeDefined());
    expect(engine.shownPictures.map(({ id }) => id)).toEqual(['scan.sample']);
  });

  it('[RTE-09] shows the sample as a point cloud and releases it when the screen closes', async () => {
    const { engine, createdClouds, user, unmount } = await setup();
    await user.click(await screen.findByRole('tab', { name: 'Point cloud' }));
    await waitFor(() => expect(createdClouds[0]?.cloud?.count).toBeGreaterThan(90_000));
    expect(engine.attachments).toBe(0);
    expect(createdClouds[0]?.host.getAttribute('role')).toBe('application');
    await waitFor(() => expect(screen.getByText('100')).toBeDefined());
    unmount();
    expect([createdClouds[0]?.attached, createdClouds[0]?.closed]).toEqual([false, true]);
  });

  it('[RTE-09] shows the position under a click, and the position at the centre on Enter', async () => {
    const { createdClouds, user } = await setup();
    await user.click(await screen.findByRole('tab', { name: 'Point cloud' }));
    const host = await waitFor(() => screen.getByRole('application'));
    const pickedPixels: number[][] = [];
    createdClouds[0]!.pick = (x, y) => {
      pickedPixels.push([x, y]);
      return Promise.resolve({
        point: [x, y, 1.5],
        normal: undefined,
        source: 'POINT_CLOUD',
        sigma: undefined,
        edge: false,
      });
    };
    expect(screen.getByText('Click, or press Enter')).toBeDefined();
    fireEvent.click(host, { clientX: 30, clientY: 40 });
    expect(await screen.findByText('30.000 / 40.000 / 1.500 m')).toBeDefined();
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800);
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
    act(() => host.focus());
    await user.keyboard('{Enter}');
    expect(await screen.findByText('400.000 / 300.000 / 1.500 m')).toBeDefined();
    expect(pickedPixels).toEqual([
      [30, 40],
      [400, 300],
    ]);
  });

  it('[RTE-09] shows a message if the browser has no WebGL 2', async () => {
    const engine = new FakeEngine();
    engine.attach = () => {
      throw new WebGlUnavailable();
    };
    await setup(engine);
    expect(await screen.findByText('This browser cannot display scans')).toBeDefined();
  });

  it('denies people without access to scans', async () => {
    const engine = new FakeEngine();
    await act(() => setup(engine, []));
    expect(engine.attachments).toBe(0);
    expect(screen.queryByText('Scan check')).toBeNull();
  });
});
