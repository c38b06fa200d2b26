import { act, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FakeServer, renderScreen } from '#core/testing/web';
import { TourStore, type OpenedTour } from '#plugins/tour';
import tour from '../../index.ts';
import { buildNode, buildTour } from '../../../testing/web/test-tour.ts';
import { NodeList } from './node-list.tsx';

async function setup(openedTour: OpenedTour) {
  const server = new FakeServer()
    .on('GET /api/tour/:location', { status: 200, body: openedTour })
    .on('GET /api/tour/:location/visited', { status: 200, body: [] })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} });
  const plugins = [{ id: 'tour', settings: {}, web: tour, bridges: [] }];
  const rendered = await renderScreen(<NodeList />, { plugins, plugin: 'tour', server });
  const store = await rendered.core.host.getService('tour', TourStore);
  await act(() => store.open('unit'));
  return { ...rendered, store, server };
}
const nextFrame = () => act(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));

describe('NodeList', () => {
  it('groups the viewpoints by deck', async () => {
    await setup(buildTour());
    expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['Lower', 'Upper']);
    const [, first, second] = screen.getAllByRole('listitem');
    expect(first?.textContent).toContain('Separator area');
    expect([second?.getAttribute('aria-posinset'), second?.getAttribute('aria-setsize')]).toEqual(['2', '2']);
  });

  it('renders only rows in view, and finds a viewpoint among 2,000 by its code', async () => {
    const nodes = Array.from({ length: 2_000 }, (_, k) => buildNode(`N${k}`, { name: `Viewpoint ${k}` }));
    const { user, store } = await setup(buildTour({ nodes, links: [] }));
    expect(screen.getAllByRole('listitem').length).toBeLessThan(40);
    await user.type(screen.getByRole('searchbox', { name: 'Search viewpoints' }), 'n-1777');
    const row = await screen.findByRole('button', { name: /^Viewpoint 1777/ });
    await user.click(row);
    expect(store.currentNode?.code).toBe('N1777');
    await user.type(screen.getByRole('searchbox'), 'xyz');
    expect(screen.getByRole('status').textContent).toBe('No result found');
  });

  it('shows that far viewpoints are loading', async () => {
    const { store, server } = await setup(buildTour({ complete: false }));
    expect(screen.getByRole('status').textContent).toMatch(/^These are the nearest viewpoints/);
    server.on('GET /api/tour/:location', { status: 200, body: buildTour() });
    await act(() => store.loadAllNodes());
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('moves from row to row by the arrow keys', async () => {
    const { user } = await setup(buildTour());
    await user.click(screen.getByRole('searchbox'));
    await user.keyboard('{ArrowDown}');
    await nextFrame();
    expect(document.activeElement?.textContent).toContain('Separator area');
    await user.keyboard('{ArrowDown}{ArrowDown}');
    await nextFrame();
    // The heading of the next deck is skipped.
    expect(document.activeElement?.textContent).toContain('Upper walkway');
  });

  it('keeps the focus in the search box when results appear after arrow keys', async () => {
    const { user } = await setup(buildTour());
    const search = screen.getByRole('searchbox');
    await user.click(search);
    await user.keyboard('{ArrowDown}');
    await nextFrame();
    await user.click(search);
    await user.keyboard('upper');
    expect(search).toHaveProperty('value', 'upper');
    expect(document.activeElement).toBe(search);
  });

  it('keeps the focused row when far viewpoints are added above it', async () => {
    const wholeTour = buildTour();
    const { user, store, server } = await setup(buildTour({ nodes: wholeTour.nodes.slice(1), complete: false }));
    await user.click(screen.getByRole('searchbox'));
    await user.keyboard('{ArrowDown}');
    await nextFrame();
    const { activeElement } = document;
    expect(activeElement?.textContent).toContain('Pump row');
    server.on('GET /api/tour/:location', { status: 200, body: wholeTour });
    await act(() => store.loadAllNodes());
    expect(screen.getByRole('button', { name: /^Separator area/ })).toBeDefined();
    expect(document.activeElement).toBe(activeElement);
    await user.keyboard('{ArrowUp}');
    await nextFrame();
    expect(document.activeElement?.textContent).toContain('Separator area');
  });
});
