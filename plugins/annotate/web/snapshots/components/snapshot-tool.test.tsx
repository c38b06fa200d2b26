import { Blob as NodeBlob } from 'node:buffer';
import { screen, waitFor, within } from '@testing-library/react';
import { ContainerModule } from 'inversify';
import { PDFDocument } from 'pdf-lib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeViewState } from '#core';
import { buildSite, FakeServer, renderApp, type FakeHandler, type WebSetup } from '#core/testing/web';
import type { Snapshot, SnapshotInput } from '#plugins/annotate';
import { locationsWeb } from '#plugins/locations/testing/web';
import { buildTour, FakeEngine, createServicesWith, tourWeb } from '#plugins/tour/testing/web';
import { AnnotationStore } from '../../annotations/stores/annotation-store.ts';
import annotateWeb from '../../index.ts';
import { MeasureStore } from '../../measure/stores/measure-store.ts';
import { InputStore } from '../../viewer/input-store.ts';
import { FakeCamera, MemoryImageStore, stubBlobUrls } from '../../../testing/web/fake-camera.ts';
import { buildPage } from '../../../testing/web/build-page.ts';
import { FakeSurface } from '../../../testing/web/fake-surface.ts';
import { greyPixelJpeg, readTexts } from '../../../testing/web/pdf-texts.ts';
import { stubResizeObserver, buildSurfaceModule } from '../../../testing/web/surface-module.tsx';
import { SnapshotCamera } from '../viewer/snapshot-camera.ts';
import { SnapshotImageStore } from '../stores/snapshot-image-store.ts';
import { SnapshotStore } from '../stores/snapshot-store.ts';

stubResizeObserver();

let surface: FakeSurface;
let camera: FakeCamera;
beforeEach(() => {
  stubBlobUrls();
  [surface, camera] = [new FakeSurface(), new FakeCamera()];
});
const { Blob: JsdomBlob } = globalThis;
afterEach(() => {
  vi.restoreAllMocks();
  vi.stubGlobal('Blob', JsdomBlob);
});
const fixture = buildSurfaceModule(() => surface);
const services = () =>
  Promise.resolve({
    default: new ContainerModule(({ bind }) => {
      bind(AnnotationStore).toSelf().inSingletonScope();
      bind(InputStore).toSelf().inSingletonScope();
      bind(MeasureStore).toSelf().inSingletonScope();
      bind(SnapshotImageStore).toConstantValue(new MemoryImageStore());
      bind(SnapshotCamera).toConstantValue(camera);
      bind(SnapshotStore).toSelf().inSingletonScope();
    }),
  });

const buildLocation = (uid: string, parent: string, locationType: string) => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType,
});
const point = (x: number, z: number) => ({
  point: [x, 5, z] as const,
  sigma: null,
  source: 'MODEL' as const,
  edge: false,
});
const measurement = {
  uid: 'm1',
  location: 'lower',
  kind: 'HEIGHT',
  name: 'Rail',
  points: [point(0, 1), point(0, 2)],
  result: { value: 1, sigma: null, details: {} },
  unit: 'm',
  tour: 'tour-T1',
  node: 'node-N1',
  view: null,
  shared: true,
  version: 1,
  author: 'ann',
  own: true,
  editable: true,
  createdAt: '2026-11-21T09:00:00Z',
  updatedAt: '2026-11-21T09:00:00Z',
};
const savedSnapshot: Snapshot = {
  uid: '00000000-0000-4000-8000-000000000001',
  location: 'lower',
  name: 'Leak',
  text: 'Drips',
  tag: 'tag-P-101A',
  tagNumber: 'P-101A',
  marks: [],
  tour: 'tour-T1',
  node: 'node-N2',
  view: 'v=1&module=fixture.scan&node=N2&pan=120&tilt=5&fov=50&pos=14,5,1.7',
  shared: true,
  version: 4,
  author: 'Ann Lee',
  own: true,
  editable: true,
  createdAt: '2026-11-20T09:00:00Z',
  updatedAt: '2026-11-20T09:00:00Z',
  picture: { address: '/api/files/f/picture.jpg', thumbnail: '/api/files/f/thumbnail.jpg' },
};
const replyWithSaved: FakeHandler = ({ path, body }) => {
  const input = body as SnapshotInput;
  return {
    status: 200,
    body: {
      ...savedSnapshot,
      ...input,
      uid: path.split('/').at(-1) ?? '',
      version: input.version + 1,
      picture: null,
    } satisfies Snapshot,
  };
};
const putPath = 'PUT /api/annotate/:location/snapshots/:uid';
const picturePath = 'PUT /api/annotate/:location/snapshots/:uid/picture';
const deletePath = 'DELETE /api/annotate/:location/snapshots/:uid';

async function setup({
  snapshots = [],
  query = '',
  ...options
}: { readonly snapshots?: readonly Snapshot[]; readonly query?: string } & Pick<WebSetup, 'language'> = {}) {
  const server = new FakeServer()
    .on('GET /api/locations', {
      status: 200,
      body: [
        buildSite('site', { timeZone: 'Asia/Kolkata' }),
        { ...buildLocation('unit', 'site', 'PLATFORM_UNIT'), name: 'Name of unit' },
        { ...buildLocation('lower', 'unit', 'LOC_LEVEL'), name: 'Name of lower' },
      ],
    })
    .on('GET /api/tour/:location', { status: 200, body: buildTour() })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} })
    .on('GET /api/annotate/:location/measurements', { status: 200, body: buildPage([measurement]) })
    .on('GET /api/annotate/:location/annotations', { status: 200, body: buildPage([]) })
    .on('GET /api/annotate/:location/snapshots', { status: 200, body: buildPage(snapshots) })
    .on(putPath, replyWithSaved)
    .on(picturePath, ({ path }) => ({ status: 200, body: { ...savedSnapshot, uid: path.split('/').at(-2) ?? '' } }))
    .on(deletePath, { status: 200, body: {} });
  const renderedApp = await renderApp({
    plugins: [
      { id: 'tour', settings: {}, web: { ...tourWeb, services: createServicesWith(new FakeEngine()) }, bridges: [] },
      { id: 'locations', settings: { alphabetical: true }, web: locationsWeb, bridges: [] },
      fixture,
      { id: 'annotate', settings: {}, web: { ...annotateWeb, services }, bridges: [] },
    ],
    server,
    url: `/console/tour/unit${query}`,
    ...options,
  });
  await screen.findByRole('button', { name: /^(Snapshot|Instantané)$/ });
  return { ...renderedApp, server };
}
const openMenuItem = async (user: Awaited<ReturnType<typeof setup>>['user'], item: RegExp) => {
  await user.click(screen.getByRole('button', { name: 'Snapshot' }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
};
/** jsdom has no layout, so the focus trap of a dialog also hides the dialog. */
const inDialog = { hidden: true } as const;
const findPanel = () => screen.findByRole('complementary', { name: 'Snapshots' });

describe('snapshots', () => {
  it('[TOUR-11] [ANA-04:snapshots] shows an empty state, requires a name, and saves the view on screen', async () => {
    const { user, server } = await setup({
      query: '?v=1&module=fixture.scan&node=N1&pan=10&tilt=0&fov=60&pos=0,0,1.7',
    });
    await openMenuItem(user, /Show snapshots/);
    expect(within(await findPanel()).getByText('No snapshots yet')).toBeDefined();
    await user.click(within(await findPanel()).getByRole('button', { name: 'Take a snapshot' }));
    const dialog = within(await screen.findByRole('dialog', inDialog));
    expect(await dialog.findByRole('img', { ...inDialog, name: 'Preview' })).toBeDefined();
    await user.click(dialog.getByRole('button', { ...inDialog, name: 'Save' }));
    expect(dialog.getByText('Enter a name for the snapshot')).toBeDefined();
    expect(server.sentTo(putPath)).toHaveLength(0);
    await user.click(
      dialog.getByRole('switch', { ...inDialog, name: 'Include the measurement or annotation in the image' }),
    );
    await user.type(dialog.getByRole('textbox', { ...inDialog, name: /Name/ }), 'Rail is bent{Enter}');
    await waitFor(() => expect(server.sentTo(picturePath)).toHaveLength(1));
    const [sent] = server.sentTo(putPath).map(({ body }) => body as SnapshotInput);
    expect(sent).toMatchObject({
      name: 'Rail is bent',
      text: '',
      tag: null,
      tour: 'tour-T1',
      node: 'node-N1',
      shared: false,
      version: 0,
      marks: [{ name: 'Rail', words: '1\u00a0m' }],
    });
    expect(decodeViewState(sent?.view ?? '')).toMatchObject({ module: 'fixture.scan', node: 'N1', pan: 10, fov: 60 });
    expect(camera.merges.at(-1)).toEqual({ modules: ['fixture.scan'], includesMarks: false });
    const form = server.sentTo(picturePath)[0]?.body;
    expect(form instanceof FormData ? [...form.keys()] : form).toEqual(['picture', 'thumbnail']);
    expect((await findPanel()).textContent).toContain('Rail is bent');
  });

  it.each([
    ['counts a mark behind equipment', true, { x: 400, y: 356 }, { x: 400, y: 276 }],
    ['counts a line whose ends are beside the picture', true, { x: -300, y: 400 }, { x: 400, y: -300 }],
    ['does not count a line beside the picture', false, { x: -300, y: 200 }, { x: 200, y: -300 }],
  ])('[TOUR-11] %s', async (_name, expected, from, to) => {
    surface.sees = () => false;
    surface.toPixel = ([, , z]) => (z === 1 ? from : to);
    const { user } = await setup();
    await waitFor(() => expect(surface.host.querySelector('[data-item="m1"] path')).not.toBeNull());
    await openMenuItem(user, /Take a snapshot/);
    const dialog = within(await screen.findByRole('dialog', inDialog));
    await dialog.findByRole('img', { ...inDialog, name: 'Preview' });
    const include = dialog.queryByRole('switch', { ...inDialog, name: /^Include the measurement/ });
    expect(include !== null).toBe(expected);
  });

  it('[TOUR-11] opens the view of a snapshot, renames it, and deletes it after a confirmation', async () => {
    const { user, server } = await setup({ snapshots: [savedSnapshot] });
    await openMenuItem(user, /Show snapshots \(1\)/);
    const card = within(within(await findPanel()).getByRole('listitem'));
    expect((await findPanel()).querySelector('img')?.getAttribute('src')).toBe('/api/files/f/thumbnail.jpg');
    await user.click(card.getByRole('button', { name: 'Leak' }));
    await waitFor(() =>
      expect(decodeViewState(window.location.search)).toMatchObject({
        module: 'fixture.scan',
        node: 'N2',
        layers: { snapshot: savedSnapshot.uid },
      }),
    );
    await user.click(card.getByRole('button', { name: 'Rename' }));
    await user.clear(card.getByRole('textbox', { name: 'Name' }));
    await user.type(card.getByRole('textbox', { name: 'Name' }), 'Leak, urgent{Enter}');
    await waitFor(() => expect(server.sentTo(putPath)[0]?.body).toMatchObject({ name: 'Leak, urgent', version: 4 }));
    await user.click(card.getByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('alertdialog', inDialog));
    expect(server.sentTo(deletePath)).toHaveLength(0);
    await user.click(dialog.getByRole('button', { ...inDialog, name: 'Delete' }));
    await waitFor(() => expect(server.sentTo(deletePath)).toHaveLength(1));
    expect(await screen.findByText('No snapshots yet')).toBeDefined();
  });

  it.each([
    ['en', 'Snapshots', 'PDF sheet', /Nov 20, 2026, 02:30 PM GMT\+5:30/],
    ['fr', 'Instantanés', 'Fiche PDF', /20 nov\. 2026, 14:30 UTC\+5:30/],
  ] as const)(
    "[TOUR-11] shows dates in the list and on the sheet in the site's time zone (%s)",
    async (language, title, button, dateText) => {
      // jsdom cannot read its blobs.
      vi.stubGlobal('Blob', NodeBlob);
      const { user, server } = await setup({ snapshots: [savedSnapshot], language });
      await user.click(screen.getByRole('button', { name: /^(Snapshot|Instantané)$/ }));
      await user.click((await screen.findAllByRole('menuitem'))[1]!);
      const list = await screen.findByRole('complementary', { name: title });
      expect(within(list).getByRole('listitem').textContent).toMatch(dateText);
      server.on('GET /api/files/f/picture.jpg', { status: 200, body: new Blob([new Uint8Array(greyPixelJpeg)]) });
      const files: Blob[] = [];
      vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => (files.push(blob as Blob), '#sheet'));
      await user.click(within(list).getByRole('button', { name: button }));
      await waitFor(() => expect(files).toHaveLength(1));
      const sheet = await PDFDocument.load(new Uint8Array(await files[0]!.arrayBuffer()));
      const texts = readTexts(sheet.getPage(0));
      expect(texts.find((text) => text.includes('2026'))).toMatch(dateText);
      expect(texts.join(' ')).toContain('(Asia/Kolkata)');
      // The sheet has the names of the locations, without the separator on screen.
      expect(texts).toEqual(expect.arrayContaining(['Name of unit', 'Name of lower', 'P-101A', 'Pump row']));
      expect(texts.join(' ')).not.toContain('›');
    },
  );
});
