import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Notifications } from '#core/web';
import { buildMe, FakeServer, renderScreen } from '#core/testing/web';
import tourWeb from '../../index.ts';
import { FakeEngine, createServicesWith } from '../../../testing/web/fake-engine.ts';
import { PictureTool } from './picture-tool.tsx';

afterEach(() => void vi.useRealTimers());

async function setup(
  preferences: {
    readonly theme?: 'dark';
    readonly picture?: { readonly brightness: number; readonly contrast: number };
  } = {},
  status = 200,
) {
  const engine = new FakeEngine();
  const server = new FakeServer().on('PUT /api/me/preferences', ({ body }) => ({
    status,
    body: status === 200 ? body : { code: 'E000', message: 'x', reference: 'r' },
  }));
  const rendered = await renderScreen(<PictureTool />, {
    plugins: [{ id: 'tour', settings: {}, web: { ...tourWeb, services: createServicesWith(engine) }, bridges: [] }],
    server,
    me: buildMe({ preferences }),
  });
  return { ...rendered, engine, server };
}

const changeSlider = (name: string, value: number) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value: String(value) } });
const listSavedPreferences = (server: FakeServer) => server.sentTo('PUT /api/me/preferences').map(({ body }) => body);

it('corrects the picture at once and saves the correction with the preferences', async () => {
  const { user, engine, server } = await setup({ theme: 'dark' });
  await user.click(screen.getByRole('button', { name: 'Brightness and contrast' }));
  changeSlider('Brightness', 40);
  changeSlider('Contrast', -20);
  changeSlider('Contrast', -30);
  expect(engine.correction).toEqual({ brightness: 0.4, contrast: -0.3 });
  await waitFor(() =>
    expect(listSavedPreferences(server)).toEqual([{ theme: 'dark', picture: { brightness: 0.4, contrast: -0.3 } }]),
  );
});

it('starts with the saved correction and resets to the original picture', async () => {
  const { user, engine, server } = await setup({ picture: { brightness: 0.5, contrast: 0.1 } });
  expect(engine.correction).toEqual({ brightness: 0.5, contrast: 0.1 });
  await user.click(screen.getByRole('button', { name: 'Brightness and contrast' }));
  const reset = screen.getByText<HTMLButtonElement>('Reset');
  await user.click(reset);
  expect(engine.correction).toEqual({ brightness: 0, contrast: 0 });
  expect(reset.disabled).toBe(true);
  await waitFor(() => expect(listSavedPreferences(server)).toEqual([{}]));
});

it('reports a failed save', async () => {
  const { user, engine, core } = await setup({}, 500);
  await user.click(screen.getByRole('button', { name: 'Brightness and contrast' }));
  await act(async () => void changeSlider('Brightness', 40));
  await waitFor(() =>
    expect(core.host.root.get(Notifications).notices.map(({ message }) => message)).toContain('tour.pictureNotKept'),
  );
  expect(engine.correction).toEqual({ brightness: 0.4, contrast: 0 });
});
