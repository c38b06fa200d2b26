import { act, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderScreen, type WebSetup } from '#core/testing/web';
import { LastChangeStore } from '../../admin/last-change-store.ts';
import { LastChangeLine } from './last-change-line.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
});

const report = {
  uids: ['c1'],
  texts: { done: 'core.close', undone: 'core.cancel' },
  values: {},
  undo: async () => 'c2',
};

async function setup(options: WebSetup = {}) {
  const lastChange = new LastChangeStore();
  const rendered = await renderScreen(<LastChangeLine lastChange={lastChange} />, options);
  await act(async () => lastChange.report(report));
  return { ...rendered, lastChange };
}

it('undoes and redoes from the line and from the notification', async () => {
  const { user } = await setup();
  expect(await screen.findByText('Last change: Close')).toBeDefined();
  const buttons = await screen.findAllByRole('button', { name: 'Undo' });
  expect(buttons).toHaveLength(2);
  await user.click(buttons[1]!);
  expect(await screen.findByText('Last change: Cancel')).toBeDefined();
  await user.click(screen.getAllByRole('button', { name: 'Redo' })[0]!);
  expect(await screen.findByText('Last change: Close')).toBeDefined();
});

it('shows only the line in windows without a menu at the side', async () => {
  vi.stubGlobal('matchMedia', (media: string) => ({ matches: media === '(max-width: 1023px)', addEventListener() {} }));
  await setup();
  expect(await screen.findByText('Last change: Close')).toBeDefined();
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1);
});

it('names the undo in French other than the cancelling of a dialog', async () => {
  await setup({ language: 'fr' });
  expect((await screen.findAllByRole('button', { name: 'Annuler la modification' })).length).toBeGreaterThan(0);
});
