import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FakeServer, renderScreen } from '#core/testing/web';
import { TourStore } from '#plugins/tour';
import tour from '../../index.ts';
import { buildTag, buildTour } from '../../../testing/web/test-tour.ts';
import { SeenFromSection } from './seen-from-section.tsx';

it('shows that far viewpoints of a tag are loading, and then lists them', async () => {
  const wholeTour = buildTour();
  const nearTour = buildTour({ nodes: wholeTour.nodes.slice(0, 1), complete: false });
  const server = new FakeServer()
    .on('GET /api/tour/:location', { status: 200, body: nearTour })
    .on('GET /api/tour/:location/visited', { status: 200, body: [] })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} });
  const plugins = [{ id: 'tour', settings: {}, web: tour, bridges: [] }];
  const tag = buildTag('V-101', { seenFrom: [{ node: 'node-N2', pan: 30, tilt: 2, distance: 3, visible: 1 }] });
  const { core } = await renderScreen(<SeenFromSection tag={tag} />, { plugins, plugin: 'tour', server });
  const store = await core.host.getService('tour', TourStore);
  await act(() => store.open('unit'));
  expect(screen.getByRole('status').textContent).toBe('More viewpoints are loading.');
  expect(screen.queryByText(/^Not visible/)).toBeNull();
  server.on('GET /api/tour/:location', { status: 200, body: wholeTour });
  await act(() => store.loadAllNodes());
  expect(screen.getByRole('button', { name: /^Pump row/ })).toBeDefined();
  expect(screen.queryByRole('status')).toBeNull();
});

it('shows that the viewpoints are being computed', async () => {
  const tag = buildTag('V-101', { seenFrom: [], viewsPending: true });
  await renderScreen(<SeenFromSection tag={tag} />, {
    plugins: [{ id: 'tour', settings: {}, web: tour, bridges: [] }],
    plugin: 'tour',
  });
  expect(screen.getByRole('status').textContent).toBe('The viewpoints that see it are being computed.');
  expect(screen.queryByText(/^Not visible/)).toBeNull();
});
