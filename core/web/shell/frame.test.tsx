import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { basePath, routeUrl, routeRef, routes } from '#core';
import { Dialog, DialogSurface } from '#core/ui';
import type { InstalledPlugin } from '#core/web';
import { renderApp } from '#core/testing/web';
import { components } from './app-components.ts';

const plugin: InstalledPlugin = {
  id: 'fixture',
  settings: {},
  bridges: [],
  web: {
    routes: [
      {
        routeRef: routeRef('fixture.view', 'console/tour/:location'),
        title: 'fixture.title',
        audience: 'bare',
        category: 'TOUR',
        load: async () => ({
          default: () => (
            <Dialog open>
              <DialogSurface>
                <button type="button">Close</button>
              </DialogSurface>
            </Dialog>
          ),
        }),
      },
    ],
    messages: { en: async () => ({ default: { 'fixture.title': 'Tour' } }) },
  },
};

it('shows the next screen to screen readers if a person goes back from an open dialog', async () => {
  await renderApp({ components, plugins: [plugin], url: '/console/tour/HB' });
  await act(async () => screen.getByRole('button', { name: 'Close' }).focus());
  await waitFor(() => expect(screen.queryByRole('main')).toBeNull());
  await act(async () => {
    history.pushState(null, '', basePath + routeUrl(routes.noAccess, {}));
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await waitFor(() => expect(screen.queryByRole('main') !== null).toBe(true));
});
