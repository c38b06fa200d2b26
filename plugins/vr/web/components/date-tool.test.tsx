import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Locations } from '#core/web';
import { buildSite, buildUnit, FakeServer, renderScreen } from '#core/testing/web';
import { TourStore, type TourCapture } from '#plugins/tour';
import { buildNode, buildTour, FakeEngine, createServicesWith, tourWeb } from '#plugins/tour/testing/web';
import vrWeb from '../index.ts';
import DateTool from './date-tool.tsx';

const { picture } = buildNode('N1');
const captures: TourCapture[] = [
  { capturedAt: '2025-06-05T12:00:00.000Z', day: '2025-06-05', heading: 0, picture: { ...picture!, id: 'previous' } },
  { capturedAt: '2024-06-03T22:00:00.000Z', day: '2024-06-04', heading: 0, picture: { ...picture!, id: 'first' } },
];

async function setup(earlierCaptures: TourCapture[]) {
  const server = new FakeServer()
    .on('GET /api/locations', {
      status: 200,
      body: [buildSite('site', { timeZone: 'Asia/Kolkata' }), buildUnit('unit', 'site')],
    })
    .on('GET /api/tour/:location', {
      status: 200,
      body: buildTour({ nodes: [buildNode('N1', { captures: earlierCaptures })] }),
    })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} });
  const plugins = [
    { id: 'tour', settings: {}, web: { ...tourWeb, services: createServicesWith(new FakeEngine()) }, bridges: [] },
    { id: 'vr', settings: { hoverNavigation: false }, web: vrWeb, bridges: [] },
  ];
  const rendered = await renderScreen(<DateTool />, { plugins, plugin: 'vr', server });
  const store = await rendered.core.host.getService('vr', TourStore);
  await act(async () => store.open('unit'));
  await act(() => rendered.core.host.root.get(Locations).load());
  return { ...rendered, store };
}

it('shows only a date without earlier captures', async () => {
  await setup([]);
  expect(screen.getByText('Mar 1, 2026')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

it('selects and compares dates', async () => {
  const { user, store } = await setup(captures);
  const openMenu = () => user.click(screen.getByRole('button', { name: /20\d\d|^Two dates$/ }));
  await openMenu();
  expect(
    screen
      .getAllByRole('menuitemradio')
      .map((item) => [item.getAttribute('aria-checked'), /20\d\d/.exec(item.textContent ?? '')?.[0]]),
  ).toEqual([
    ['true', '2026'],
    ['false', '2025'],
    ['false', '2024'],
  ]);
  await user.click(screen.getByRole('menuitemradio', { name: /2024/ }));
  expect(store.layers).toEqual({ date: '2024-06-04' });
  await user.click(screen.getByRole('button', { name: 'Compare two dates' }));
  expect(store.layers).toEqual({ compare: '2024-06-04~50' });
  await openMenu();
  await user.click(screen.getByRole('menuitemradio', { name: /2025/ }));
  expect(store.layers).toEqual({ compare: '2025-06-05~50' });
  await openMenu();
  await user.click(screen.getByRole('menuitem', { name: 'End the comparison' }));
  expect(store.layers).toEqual({});
});

it('shows days in the time zone of the site', async () => {
  const { user } = await setup(captures);
  await user.hover(screen.getByRole('button', { name: /20\d\d|^Two dates$/ }));
  expect(await screen.findByText(/^Capture date \(Asia\/Kolkata\)/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: /20\d\d|^Two dates$/ }));
  // The panorama was captured at 03:30 at the site, which is on the previous day in UTC.
  expect(screen.getByRole('menuitemradio', { name: 'Jun 4, 2024' })).toBeDefined();
});

it("offers one panorama per day after a change of the site's time zone", async () => {
  const { user } = await setup([...captures, { ...captures[0]!, capturedAt: '2025-06-05T02:00:00.000Z' }]);
  await user.click(screen.getByRole('button', { name: /20\d\d|^Two dates$/ }));
  expect(screen.getAllByRole('menuitemradio')).toHaveLength(3);
});

it('[TOUR-23] reports dates in a link for which the tour has no panorama', async () => {
  const { store } = await setup(captures);
  await act(async () => store.open('unit', { layers: { date: '2024-06-04', compare: '2019-01-01~50' } }));
  expect(store.missingParts).toEqual([{ message: 'vr.missing.date', values: { day: '2019-01-01' } }]);
});
