import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FakeServer, renderScreen } from '#core/testing/web';
import type { InstalledPlugin } from '#core/web';
import type { WelcomeText } from '#plugins/media';
import media from '../../index.ts';
import WelcomeTextScreen from './welcome-text-screen.tsx';

const plugins: readonly InstalledPlugin[] = [{ id: 'media', settings: {}, web: media, bridges: [] }];
const currentText: WelcomeText = {
  en: 'Mind the step',
  fr: '',
  version: 3,
  updatedBy: 'Ida Holm',
  updatedAt: '2026-01-10T08:00:00.000Z',
};
const changedReply = { status: 200, body: { change: 'c1' } };
const buildServer = () =>
  new FakeServer()
    .on('GET /api/media/welcome-text', { status: 200, body: currentText })
    .on('PUT /api/media/welcome-text', changedReply)
    .on('POST /api/changes/:change/undo', { status: 200, body: { change: 'c2' } });
const getInput = (name: string) => screen.getByRole<HTMLTextAreaElement>('textbox', { name });

describe('the welcome text', () => {
  it('[ADM-11] is formatted by buttons and keys, previewed, saved and undone', async () => {
    const server = buildServer();
    const { user } = await renderScreen(<WelcomeTextScreen />, { plugins, server });
    expect(await screen.findByText(/^Last saved by Ida Holm/)).toBeDefined();
    const input = getInput('English');
    input.setSelectionRange(9, 13);
    const tools = within(screen.getByRole('toolbar', { name: 'Format of the text: English' }));
    await user.click(tools.getByRole('button', { name: 'Bold' }));
    expect([input.value, input.selectionStart, input.selectionEnd]).toEqual(['Mind the **step**', 11, 15]);
    const preview = within(screen.getByRole('region', { name: 'Preview: English' }));
    expect(preview.getByText('step').tagName).toBe('STRONG');
    getInput('French').focus();
    await user.keyboard('{Control>}b{/Control}Attention');
    expect(getInput('French').value).toBe('**Attention**');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const line = (await screen.findByText('Last change: The welcome text was saved')).parentElement!;
    expect(server.sentTo('PUT /api/media/welcome-text').map(({ body }) => body)).toEqual([
      { en: 'Mind the **step**', fr: '**Attention**', version: 3 },
    ]);
    await user.click(await within(line).findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Last change: The change of the welcome text was undone')).toBeDefined();
  });

  it('renders no HTML of the text, and shows which link is not allowed', async () => {
    const refusal = {
      code: 'E003',
      message: 'Refused.',
      reference: 'r1',
      fields: [{ pointer: '/en', message: 'media.welcomeText.link', values: { link: 'javascript:alert(1)' } }],
    };
    const server = buildServer().on('PUT /api/media/welcome-text', { status: 400, body: refusal });
    const { user } = await renderScreen(<WelcomeTextScreen />, { plugins, server });
    await screen.findByText(/^Last saved by Ida Holm/);
    const hostile = '<img src=x onerror=alert(1)>\n\n<svg onload=alert(1)>\n\n[Call](javascript:alert(1))';
    fireEvent.change(getInput('English'), { target: { value: hostile } });
    const preview = screen.getByRole('region', { name: 'Preview: English' });
    expect(preview.textContent).toContain('<img src=x onerror=alert(1)>');
    expect(preview.querySelectorAll('img, svg, script, a')).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/^The link “javascript:alert\(1\)” is not allowed/)).toBeDefined();
    expect(getInput('English').value).toBe(hostile);
  });

  it('keeps the input if somebody else has changed the text', async () => {
    const server = buildServer().on('PUT /api/media/welcome-text', {
      status: 409,
      body: {
        code: 'E007',
        message: 'Refused.',
        reference: 'r1',
        current: { ...currentText, en: 'Theirs', version: 9 },
      },
    });
    const { user } = await renderScreen(<WelcomeTextScreen />, { plugins, server });
    await screen.findByText(/^Last saved by Ida Holm/);
    fireEvent.change(getInput('English'), { target: { value: 'Mine' } });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Theirs')).toBeDefined();
    server.on('PUT /api/media/welcome-text', changedReply);
    await user.click(screen.getByRole('button', { name: 'Save mine' }));
    expect(await screen.findByText('Last change: The welcome text was saved')).toBeDefined();
    const sentBodies = server.sentTo('PUT /api/media/welcome-text').map(({ body }) => body);
    expect(sentBodies).toMatchObject([{ version: 3 }, { en: 'Mine', version: 9 }]);
  });
});
