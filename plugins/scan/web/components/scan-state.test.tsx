import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderScreen } from '#core/testing/web';
import scanWeb from '../index.ts';
import { ScanState } from './scan-state.tsx';

it('limits the card of a loading scan to the area that panels leave free', async () => {
  await renderScreen(<ScanState status={{ state: 'loading' }} name="North" onRetry={() => undefined} />, {
    plugins: [{ id: 'scan', settings: { token: false }, web: scanWeb, bridges: [] }],
    plugin: 'scan',
  });
  const label = await screen.findByText('Loading the scan of North');
  expect(getComputedStyle(label.closest('[role="status"][aria-busy]')!).maxWidth).toContain('--viewer-free-width');
});
