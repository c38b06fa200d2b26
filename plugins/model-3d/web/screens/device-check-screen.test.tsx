import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { routeUrl } from '#core';
import { buildMe, renderApp } from '#core/testing/web';
import { WebGlUnavailable } from '#plugins/tour';
import { tourWeb } from '#plugins/tour/testing/web';
import { deviceCheck } from '../../contract/index.ts';
import modelWeb from '../index.ts';
import {
  fakeContent,
  FakeModelEngine,
  createFakeServices,
  type FakeEngines,
} from '../../testing/web/fake-model-engine.ts';

const setup = (fakes: FakeEngines, flags: readonly 'threeDimensionalAccess'[] = ['threeDimensionalAccess']) =>
  renderApp({
    plugins: [
      { id: 'tour', settings: {}, web: tourWeb, bridges: [] },
      {
        id: 'model-3d',
        settings: { engine: 'builtin' },
        web: { ...modelWeb, services: createFakeServices(fakes) },
        bridges: [],
      },
    ],
    me: buildMe({ access: { flags: [...flags], locations: 'ALL', deactivatedRoles: [] } }),
    url: routeUrl(deviceCheck, {}),
  });

describe('DeviceCheckScreen', () => {
  it("[RTE-09] shows the sample and the device's renderer at console/view3", async () => {
    expect(routeUrl(deviceCheck, {})).toBe('/console/view3');
    const engine = new FakeModelEngine();
    await setup({ engine });
    expect(await screen.findByRole('heading', { level: 1, name: '3D check' })).toBeDefined();
    await waitFor(() => expect(screen.getByText('Fake')).toBeDefined());
    expect(screen.getByText('1,200')).toBeDefined();
    expect(engine.content).toBe(fakeContent);
  });

  it('[RTE-09] reports missing WebGL 2', async () => {
    await setup({ engine: new FakeModelEngine(), failCreation: new WebGlUnavailable() });
    expect(await screen.findByText('This browser cannot display 3D models')).toBeDefined();
  });

  it('[PRO-09] refuses people without access to 3D', async () => {
    const engine = new FakeModelEngine();
    await act(() => setup({ engine }, []));
    expect(engine.attachedHosts).toBe(0);
    expect(screen.queryByText('3D check')).toBeNull();
  });
});
