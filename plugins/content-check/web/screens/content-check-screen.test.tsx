import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ContentCheckResult } from '#core/api';
import { buildMe, buildSite, FakeServer, pretendSize, renderScreen } from '#core/testing/web';
import { tourWeb } from '#plugins/tour/testing/web';
import contentCheck from '../index.ts';
import ContentCheckScreen from './content-check-screen.tsx';

const plugins = [
  { id: 'content-check', settings: {}, web: contentCheck, bridges: [] },
  { id: 'tour', settings: {}, web: tourWeb, bridges: [] },
];
const buildCheck = (id: string, count: number, changes: Partial<ContentCheckResult> = {}): ContentCheckResult => ({
  id,
  severity: 'WARNING',
  count,
  fix: { route: 'tour.tags', path: 'admin/console/tags', parameter: 'search' },
  ...changes,
});
const access = { flags: ['configure'] as const, locations: 'ALL' as const, deactivatedRoles: [] };

describe('ContentCheckScreen', () => {
  let restoreSize: () => void;
  beforeEach(() => {
    restoreSize = pretendSize(1200, 600);
  });
  afterEach(() => restoreSize());

  const setup = (checks: readonly ContentCheckResult[], options: { language?: 'fr'; address?: string } = {}) =>
    renderScreen(<ContentCheckScreen />, {
      ...options,
      plugins,
      server: new FakeServer()
        .on('GET /api/locations', { status: 200, body: [buildSite('K')] })
        .on('GET /api/content-checks/:location', { status: 200, body: [...checks] })
        .on('GET /api/content-checks/:location/:check', {
          status: 200,
          body: { total: 1, offset: 0, rows: [{ location: 'K', subject: 'PT 1001', name: 'PT 1001' }] },
        }),
      me: buildMe({ isAdmin: true, access: { ...access, flags: [...access.flags] } }),
      url: options.address ?? '/admin/console/content-check',
    });

  it('[DAT-07] lists errors first, and links each finding to the screen that fixes it', async () => {
    const { user } = await setup([
      buildCheck('tour.tagWithoutPlace', 1),
      buildCheck('tour.viewpointWithoutLink', 2, { severity: 'ERROR' }),
      buildCheck('tour.equalTags', 0),
    ]);
    const findings = await screen.findByRole('list', { name: 'Findings' });
    expect(
      within(findings)
        .getAllByRole('heading')
        .map(({ textContent }) => textContent),
    ).toEqual(['No link leads to 2 viewpoints', 'One tag has no position and is seen from no viewpoint']);
    expect(screen.getByText('Every tag has a number of its own')).toBeTruthy();
    expect(screen.getByText('3 findings')).toBeTruthy();
    await user.click(
      screen.getByRole('button', { name: 'Show: One tag has no position and is seen from no viewpoint' }),
    );
    const link = await screen.findByRole('link', { name: 'Fix PT 1001' });
    expect(link.getAttribute('href')).toMatch(/\/admin\/console\/tags\?location=K&search=PT\+1001$/);
  });

  it('shows in French that there are no findings', async () => {
    await setup([buildCheck('tour.equalTags', 0)], { language: 'fr' });
    expect(await screen.findByText('Rien à corriger')).toBeTruthy();
    expect(screen.getByText('Chaque repère a un numéro propre')).toBeTruthy();
  });

  it('shows the id of a check that has no message', async () => {
    await setup([buildCheck('permits.none', 1)]);
    expect(await screen.findByRole('heading', { name: 'permits.none' })).toBeTruthy();
  });
});
