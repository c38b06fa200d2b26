import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { minus, toPanTilt, type Point3 } from '#core';
import { buildMe, FakeServer, pretendSize, renderScreen, type FakeReply } from '#core/testing/web';
import { TourTools } from '#plugins/tour';
import type { ContentNode, TourContent } from '../../../../contract/api/tour-content.ts';
import { createServicesWith, FakeEngine } from '../../../../testing/web/fake-engine.ts';
import { pickInSite, sitePicks, siteViewFixture } from '../../../../testing/web/site-view-fixture.tsx';
import { buildNode, buildTour } from '../../../../testing/web/test-tour.ts';
import tour from '../../../index.ts';
import ContentScreen from '../../screens/content-screen.tsx';

const toContent = (code: string, position: Point3): ContentNode => ({
  uid: `node-${code}`,
  code,
  name: `Node ${code}`,
  tour: 'tour-T1',
  deck: null,
  location: 'unit',
  position,
  heading: 0,
  thumbnail: null,
  posedTilt: null,
  hasPanorama: true,
  version: 3,
});
const content: TourContent = {
  decks: [],
  tours: [{ uid: 'tour-T1', code: 'T1', name: 'Separation', location: 'unit', startNode: 'node-N1', version: 1 }],
  nodes: [toContent('N1', [0, 0, 1.7]), toContent('N2', [4, 0, 1.7])],
  links: [],
  alignments: [{ node: 'node-N2', residual: 0.12, ties: 4, alignedAt: '2026-03-01T10:00:00.000Z' }],
  hasSurfaces: true,
};
const rows = [{ uid: 'unit', name: 'Unit', label: '', parent: null, root: 'unit', locationType: 'PRIMARY_LOCATION' }];
const alignmentPath = '/api/tour-content/:location/nodes/:node/alignment';
/** The true heading of the picture. */
const trueHeading = 30;
const corners: readonly Point3[] = [
  [4, 1, 3],
  [-3, 5, 1.5],
  [-2, -4, 2.5],
  [3, -3, 0.5],
];

async function setup({
  withModel = true,
  saved: saveReply = { status: 200, body: { change: 'c1' } } as FakeReply,
  picture = true,
} = {}) {
  sitePicks.length = 0;
  const engine = new FakeEngine();
  vi.spyOn(engine, 'attach');
  const nodes = content.nodes.map(({ code, position }) =>
    buildNode(code, { position, ...(picture ? {} : { picture: null }) }),
  );
  const server = new FakeServer()
    .on('GET /api/locations', { status: 200, body: rows })
    .on('GET /api/tour-content/:location', { status: 200, body: content })
    .on('GET /api/tour/:location', { status: 200, body: buildTour({ nodes, links: [], decks: [] }) })
    .on('GET /api/tour/:location/visited', { status: 200, body: [] })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} })
    .on(`GET ${alignmentPath}`, { status: 200, body: { ties: [] } })
    .on(`POST ${alignmentPath}`, saveReply);
  const rendered = await renderScreen(<ContentScreen />, {
    plugins: [
      { id: 'tour', settings: {}, web: { ...tour, services: createServicesWith(engine) }, bridges: [] },
      ...(withModel ? [siteViewFixture] : []),
    ],
    plugin: 'tour',
    server,
    url: '/admin/console/viewpoints?location=unit',
    me: buildMe({ isAdmin: true }),
  });
  const { user } = rendered;
  await user.click(await screen.findByRole('checkbox', { name: 'Select N1' }));
  await user.click(screen.getByRole('button', { name: 'Align…' }));
  await screen.findByRole('heading', { name: 'Align N1: Node N1' });
  if (picture) await screen.findByRole('heading', { name: 'Result' });
  if (picture && withModel) await screen.findByRole('application', { name: '3D view' });
  return { ...rendered, engine, server };
}

/** Marks the direction of a point in the picture, which is drawn with the heading 0. */
function markInPicture(engine: FakeEngine, point: Point3): void {
  const { pan, tilt } = toPanTilt(minus(point, [0, 0, 1.7]));
  act(() => engine.setView({ pan: pan - trueHeading, tilt }));
  fireEvent.keyDown(vi.mocked(engine.attach).mock.lastCall![0], { key: 'Enter' });
}

let restoreSize: () => void;
beforeEach(() => {
  restoreSize = pretendSize(800, 400);
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 800, 400));
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined;
      unobserve = () => undefined;
      disconnect = () => undefined;
    },
  );
});
afterEach(() => {
  restoreSize();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('alignment of a viewpoint', () => {
  it('[DAT-02] turns a viewpoint by ties between the picture and the 3D view, and saves it', async () => {
    const { user, engine, server } = await setup();
    for (const [index, corner] of corners.entries()) {
      markInPicture(engine, corner);
      expect(await screen.findByText('Now click the same corner in the site.')).toBeDefined();
      await pickInSite(corner);
      await screen.findByRole('button', { name: `Remove tie ${index + 1}` });
    }
    expect(screen.getByText('0.00° → 30.00° (turned by 30.00°)')).toBeDefined();
    expect(engine.shapes).toHaveLength(4);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Node N1 was aligned')).toBeDefined();
    const [request] = server.sentTo(`POST ${alignmentPath}`);
    expect(request).toMatchObject({
      path: '/api/tour-content/unit/nodes/node-N1/alignment',
      body: { version: 3, heading: expect.closeTo(30, 4), correction: 'HEADING', others: [] },
    });
  });

  it('turns the 3D view with the picture, or only the picture until it fits', async () => {
    const { user, engine, core } = await setup();
    const tools = await core.host.getService('tour', TourTools);
    act(() => engine.setView({ pan: 100, tilt: 3 }));
    expect(tools.view).toMatchObject({ pan: 100, tilt: 3 });
    act(() => tools.setView({ pan: 120 }, 'fixture.model'));
    expect(engine.view.pan).toBe(120);
    await user.click(screen.getByRole('switch', { name: 'Turn the picture until it fits' }));
    act(() => engine.setView({ pan: 90 }));
    expect(tools.view.pan).toBe(120);
    expect(screen.getByText('0.00° → 30.00° (turned by 30.00°)')).toBeDefined();
    act(() => engine.setView({ pan: 120.001 }));
    expect(screen.getByText(/\(turned by 0\.00°\)$/)).toBeDefined();
  });

  it('applies the same correction to other viewpoints of the capture', async () => {
    const { user, engine, server } = await setup();
    markInPicture(engine, corners[0]!);
    await pickInSite(corners[0]);
    await screen.findByRole('button', { name: 'Remove tie 1' });
    await user.click(screen.getByText('Use for the other viewpoints of this capture'));
    await user.click(screen.getByRole('checkbox', { name: 'N2: Node N2 (aligned)' }));
    await user.click(screen.getByRole('button', { name: 'Save for 2 viewpoints' }));
    expect(await screen.findByText('2 viewpoints were aligned')).toBeDefined();
    expect(server.sentTo(`POST ${alignmentPath}`)[0]).toMatchObject({
      body: { others: [{ uid: 'node-N2', version: 3 }] },
    });
  });

  it('reports a click that hits nothing, and why ties determine no position', async () => {
    const { engine } = await setup();
    await pickInSite(undefined);
    expect(await screen.findByText('Nothing is there')).toBeDefined();
    for (const index of [1, 2, 3]) {
      markInPicture(engine, corners[0]!);
      await pickInSite(corners[0]);
      await screen.findByRole('button', { name: `Remove tie ${index}` });
    }
    expect(screen.getByText(/All ties are in the same direction/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('accepts coordinates if there is neither a model nor a point cloud', async () => {
    const { user, engine } = await setup({ withModel: false });
    expect(await screen.findByText(/neither model nor point cloud/)).toBeDefined();
    markInPicture(engine, corners[0]!);
    for (const [label, value] of [
      ['East', '4'],
      ['North', '1'],
      ['Up', '3'],
    ] as const)
      await user.type(screen.getByRole('textbox', { name: new RegExp(`^${label}`) }), value);
    await user.click(screen.getByRole('button', { name: 'Use these coordinates' }));
    expect(await screen.findByText('E 4, N 1, U 3 m')).toBeDefined();
  });

  it('keeps the ties after a conflict', async () => {
    const current = { ...content.nodes[0]!, version: 9 };
    const body = { code: 'E009', message: 'Changed.', reference: 'r1', current };
    const { user, engine } = await setup({ saved: { status: 409, body } });
    markInPicture(engine, corners[0]!);
    await pickInSite(corners[0]);
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/was changed by someone else/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Remove tie 1' })).toBeDefined();
  });

  it('reports a missing picture, and shows the number of agreeing viewpoints', async () => {
    const { user } = await setup({ picture: false });
    expect(await screen.findByText('There is no picture to align yet')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Back to the viewpoints' }));
    expect(await screen.findByText('1 of 2 viewpoints agree with the model within 0.5°.')).toBeDefined();
    expect(within(screen.getByRole('grid')).getAllByText(/0\.12°/).length).toBeGreaterThan(0);
  });
});
