import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { routeUrl } from '#core';
import { buildMe, renderApp } from '#core/testing/web';
import { WebGlUnavailable } from '#plugins/tour';
import { FakeEngine, createServicesWith, tourWeb } from '#plugins/tour/testing/web';
import { deviceCheck } from '../../contract/index.ts';
import vrWeb from '../index.ts';

const setup = (engine: FakeEngine, flags: readonly 'vrAccess'[] = ['vrAccess']) =>
  renderApp({
    plugins: [
      { id: 'tour', settings: {}, web: { ...tourWeb, services: createServicesWith(engine) }, bridges: [] },
      { id: 'vr', settings: { hoverNavigation: false }, web: vrWeb, bridges: [] },
    ],
    me: buildMe({ access: { flags: [...flags], locations: 'ALL', deactivatedRoles: [] } }),
    url: routeUrl(deviceCheck, {}),
  });

describe('DeviceCheckScreen', () => {
  it('[RTE-09] shows the sample and the name of the renderer at console/view1', async () => {
    expect(routeUrl(deviceCheck, {})).toBe('/console/view1');
    const engine = new FakeEngine();
    await setup(engine);
    expect(await screen.findByRole('heading', { level: 1, name: 'Panorama check' })).toBeDefined();
    await waitFor(() => expect(screen.getByText('Fake')).toBeDefined());
    expect(screen.getByText('8,192')).toBeDefined();
    expect(screen.getByText('16 MB')).toBeDefined();
    expect(engine.shownPictures.map(({ id }) => id)).toEqual(['vr.sample']);
  });

  it('[RTE-09] shows the frame rate of a full turn', async () => {
    const engine = new FakeEngine();
    const { user } = await setup(engine);
    await user.click(await screen.findByRole('button', { name: 'Turn around once' }));
    await waitFor(() => expect(engine.turns).toHaveLength(3));
    expect((await screen.findAllByText(/per second/)).length).toBeGreaterThan(0);
  });

  it('[RTE-09] reports a browser without WebGL 2', async () => {
    const engine = new FakeEngine();
    engine.attach = () => {
      throw new WebGlUnavailable();
    };
    await setup(engine);
    expect(await screen.findByText('This browser cannot display panoramas')).toBeDefined();
  });

  it('refuses people without access to VR', async () => {
    const engine = new FakeEngine();
    await act(() => setup(engine, []));
    expect(engine.attachments).toBe(0);
    expect(screen.queryByText('Panorama check')).toBeNull();
  });
});
