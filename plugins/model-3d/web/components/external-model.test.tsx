import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeServer, renderScreen } from '#core/testing/web';
import { I18n } from '#core/web';
import { TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import {
  buildTag,
  buildTour,
  FakeEngine,
  createServicesWith as tourServicesWith,
  tourWeb,
} from '#plugins/tour/testing/web';
import modelWeb from '../index.ts';
import ModelModule from './model-module.tsx';
import { unloadRuntime } from '../viewer/external/external-viewer.ts';
import { FakeExternalViewer } from '../../testing/web/fake-external-viewer.ts';

const externalSettings = {
  script: 'https://viewer.example/7/viewer3D.min.js',
  styles: 'https://viewer.example/7/style.min.css',
  service: 'https://models.example',
  token: 'https://login.example/token',
  env: 'AutodeskProduction2',
  api: 'streamingV2',
  urns: { unit: 'dXJu' },
};

let fakeViewer: FakeExternalViewer;
beforeEach(() => {
  fakeViewer = new FakeExternalViewer();
  fakeViewer.install();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
});
afterEach(() => {
  fakeViewer.remove();
  unloadRuntime();
  vi.unstubAllGlobals();
});

async function setup(
  settings: Omit<typeof externalSettings, 'urns'> & {
    readonly urns: Readonly<Record<string, string>>;
  } = externalSettings,
  token: { readonly status: number; readonly body?: unknown } = {
    status: 200,
    body: { token: 'T1', expiresInSeconds: 3599 },
  },
) {
  const server = new FakeServer()
    .on('GET /api/tour/:location', { status: 200, body: buildTour() })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} })
    .on('GET /api/tour/:location/tags/:number', ({ path }) => ({
      status: 200,
      body: buildTag(decodeURIComponent(path.split('/').at(-1) ?? '')),
    }))
    .on('GET /api/model-3d/:location/viewer-token', token);
  const plugins = [
    { id: 'tour', settings: {}, web: { ...tourWeb, services: tourServicesWith(new FakeEngine()) }, bridges: [] },
    { id: 'model-3d', settings: { engine: 'external', external: settings }, web: modelWeb, bridges: [] },
  ];
  const rendered = await renderScreen(<ModelModule />, { plugins, plugin: 'model-3d', server });
  const { host } = rendered.core;
  const [store, tools, surfaces] = await Promise.all([
    host.getService('model-3d', TourStore),
    host.getService('model-3d', TourTools),
    host.getService('model-3d', ViewSurfaces),
  ]);
  await act(async () => {
    await store.open('unit');
  });
  return { ...rendered, store, tools, surfaces, server };
}

describe('ExternalModel', () => {
  it('takes the focus and turns with the arrow keys, so that tools work by keyboard', async () => {
    const { user, surfaces, tools } = await setup();
    await waitFor(() => expect(surfaces.all).toHaveLength(1));
    const surface = surfaces.all[0]!;
    act(() => surface.host.focus());
    expect(document.activeElement).toBe(surface.host);
    const onChanged = vi.fn();
    const onWindowKey = vi.fn();
    surface.onChanged(onChanged);
    window.addEventListener('keydown', onWindowKey);
    act(() => tools.setView({ pan: 10, tilt: 0, fov: 75 }, 'vr.module'));
    onChanged.mockClear();
    await user.keyboard('{ArrowRight}{ArrowUp}{ArrowUp}');
    window.removeEventListener('keydown', onWindowKey);
    expect(tools.view.pan).toBeCloseTo(12);
    expect(tools.view.tilt).toBeCloseTo(4);
    expect(onChanged).toHaveBeenCalledTimes(3);
    // The external viewer would turn once more.
    expect(onWindowKey).not.toHaveBeenCalled();
    await user.keyboard('{ArrowUp>60/}');
    expect(tools.view.tilt).toBeLessThan(90);
  });

  it('[TOUR-13] opens the configured model in metres with the token of the server', async () => {
    const { surfaces } = await setup();
    await waitFor(() => expect(surfaces.all).toHaveLength(1));
    expect(fakeViewer.scripts).toEqual([externalSettings.script]);
    expect(document.querySelector(`link[href="${externalSettings.styles}"]`)).not.toBeNull();
    expect(fakeViewer.initializerOptions).toMatchObject([
      { env: 'AutodeskProduction2', api: 'streamingV2', language: 'en', useADP: false },
    ]);
    expect(fakeViewer.receivedTokens).toEqual([['T1', 3599]]);
    expect(fakeViewer.loadedUrns).toEqual(['urn:dXJu']);
    expect(fakeViewer.loadOptions).toEqual([{ globalOffset: { x: 0, y: 0, z: 0 }, applyScaling: 'm' }]);
  });

  it('[TOUR-05] synchronizes its view with the view of the tour', async () => {
    const { surfaces, tools, unmount } = await setup();
    await waitFor(() => expect(surfaces.all).toHaveLength(1));
    expect(fakeViewer.viewer.eye).toEqual({ x: 10, y: 5, z: 1.7 });
    act(() => tools.setView({ pan: 90, tilt: 0, fov: 50 }, 'vr.module'));
    expect(fakeViewer.viewer.target.x).toBeCloseTo(11, 6);
    expect(fakeViewer.viewer.fov).toBe(50);
    act(() => fakeViewer.viewer.moveTo({ x: 4, y: 4, z: 2 }, { x: 4, y: 9, z: 2 }));
    expect(tools.position).toEqual([4, 4, 2]);
    expect(tools.view.pan).toBeCloseTo(0, 6);
    expect(tools.viewAuthor).toBe('model-3d.module');
    unmount();
    expect(fakeViewer.viewer.finished).toBe(true);
  });

  it('keeps overlays of other plugins when the language changes', async () => {
    const { surfaces, core } = await setup();
    await waitFor(() => expect(surfaces.all).toHaveLength(1));
    const previous = surfaces.all[0];
    const overlay = document.createElement('svg');
    previous?.host.append(overlay);
    await act(async () => core.host.root.get(I18n).setLanguage('fr'));
    await waitFor(() => expect([surfaces.all.length, surfaces.all[0] === previous]).toEqual([1, false]));
    expect(overlay.parentElement).toBe(surfaces.all[0]?.host);
    expect(overlay.parentElement?.lastElementChild).toBe(overlay);
  });

  it('[TOUR-13] selects tags in both directions', async () => {
    const { surfaces, store } = await setup();
    await waitFor(() => expect(surfaces.all).toHaveLength(1));
    await act(async () => fakeViewer.viewer.click(7));
    expect(store.selectedTag?.number).toBe('V-101');
    await act(async () => store.selectTag('V-102'));
    expect(fakeViewer.viewer.selected).toEqual([8]);
    await act(async () => store.selectTag(undefined));
    expect(fakeViewer.viewer.selected).toEqual([]);
  });

  it.each([
    [
      'a script that cannot be loaded',
      (fake: FakeExternalViewer) => (fake.scriptFails = true),
      'script of the model viewer could not be loaded',
    ],
    [
      'a model that is not allowed',
      (fake: FakeExternalViewer) => (fake.documentErrorCode = 4),
      'does not allow this model',
    ],
    [
      'a model that does not exist',
      (fake: FakeExternalViewer) => (fake.documentErrorCode = 5),
      'does not know this model',
    ],
    ['a model without a view', (fake: FakeExternalViewer) => (fake.hasView = false), 'no 3D view'],
    ['no WebGL', (fake: FakeExternalViewer) => (fake.startCode = 8), 'not support WebGL 2'],
    ['an unknown error code', (fake: FakeExternalViewer) => (fake.documentErrorCode = 13), 'stopped (code 13)'],
  ])('[TOUR-13] reports %s and tries again', async (_, makeFail, message) => {
    makeFail(fakeViewer);
    const { user, surfaces } = await setup();
    expect(await screen.findByText(new RegExp(message.replaceAll(/[()]/g, '\\$&')))).toBeDefined();
    fakeViewer.clearFailures();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(surfaces.all).toHaveLength(1));
    expect(screen.queryByText('The 3D model could not be shown')).toBeNull();
  });

  it('[TOUR-13] reports a failed renewal of the token', async () => {
    const { server, surfaces } = await setup();
    await waitFor(() => expect(surfaces.all).toHaveLength(1));
    server.on('GET /api/model-3d/:location/viewer-token', {
      status: 503,
      body: { code: 'E010', message: 'away', reference: 'r' },
    });
    await act(async () => fakeViewer.requestToken());
    expect(await screen.findByText(/denied permission/)).toBeDefined();
  });

  it('[TOUR-13] shows no model if none is configured', async () => {
    await setup({ ...externalSettings, urns: { 'another-unit': 'dXJu' } });
    expect(await screen.findByText('No 3D model here')).toBeDefined();
    expect(fakeViewer.scripts).toEqual([]);
  });
});
