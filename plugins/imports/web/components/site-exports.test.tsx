import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessFlags, type AccessFlag } from '#core';
import { buildMe, buildSite, ConnectionLostError, FakeServer, renderScreen } from '#core/testing/web';
import { importsPlugin } from '../../testing/web.ts';
import type { SiteExportState, SiteImportState } from '../../contract/api.ts';
import ImportsScreen from '../screens/imports-screen.tsx';

const buildExport = (changes: Partial<SiteExportState> = {}): SiteExportState => ({
  uid: 'e1',
  site: 'kestrel',
  siteName: 'Kestrel',
  phase: 'DONE',
  job: null,
  refusal: null,
  file: { address: '/api/files/f1', name: 'kestrel-2026-11-20.zip', bytes: 12_345_678 },
  contents: [],
  createdAt: '2026-11-20T10:00:00.000Z',
  expiresAt: '2026-11-27T10:00:00.000Z',
  ...changes,
});
const pageOfExports = (rows: readonly SiteExportState[]) => ({
  status: 200,
  body: { total: rows.length, offset: 0, rows },
});
const buildImport = (changes: Partial<SiteImportState> = {}): SiteImportState => ({
  uid: 'i1',
  fileName: 'kestrel.zip',
  bytes: 2_000_000,
  site: 'kestrel',
  siteName: 'Kestrel',
  phase: 'PREVIEW',
  job: null,
  refusal: null,
  applicable: true,
  restarted: false,
  contents: [
    {
      title: { en: 'Workbooks', fr: 'Classeurs' },
      counts: { added: 12, changed: 3, unchanged: 4 },
      countNames: {},
      notes: [
        {
          en: 'Left out: masters.masters.xlsx, because this product has no plugin for it.',
          fr: 'Laissé de côté : masters.masters.xlsx.',
        },
      ],
    },
  ],
  createdAt: '2026-11-20T10:00:00.000Z',
  expiresAt: '2026-11-27T10:00:00.000Z',
  ...changes,
});
const pageOfImports = (rows: readonly SiteImportState[]) => ({
  status: 200,
  body: { total: rows.length, offset: 0, rows },
});
const setup = async (
  rows: readonly SiteExportState[],
  imports: readonly SiteImportState[] = [],
  flags: readonly AccessFlag[] = [...accessFlags],
  language: 'en' | 'fr' = 'en',
) => {
  const server = new FakeServer()
    .on('GET /api/imports/kinds', { status: 200, body: [] })
    .on('GET /api/locations', { status: 200, body: [buildSite('kestrel')] })
    .on('GET /api/site-exports', pageOfExports(rows))
    .on('GET /api/site-imports', pageOfImports(imports));
  const renderedScreen = await renderScreen(<ImportsScreen />, {
    plugins: [importsPlugin],
    server,
    url: '/admin/console/imports/site-export',
    language,
    me: buildMe({ isAdmin: true, access: { flags: [...flags], locations: 'ALL', deactivatedRoles: [] } }),
  });
  return { ...renderedScreen, server };
};

describe('page of site exports', () => {
  it('starts an export only once if the reply is lost, and lists it', async () => {
    const { user, server } = await setup([]);
    expect(await screen.findByText('You have no exports from the last seven days')).toBeDefined();
    let isLost = true;
    server.on('POST /api/site-exports/kestrel', () =>
      isLost
        ? { status: 503, body: { code: 'E010', message: 'Busy.', reference: 'r' } }
        : { status: 201, body: buildExport({ phase: 'RUNNING', job: 'j1', file: null }) },
    );
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(server.sentTo('POST /api/site-exports/kestrel')).toHaveLength(1));
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Export' }).disabled).toBe(false));
    isLost = false;
    server.on('GET /api/site-exports', pageOfExports([buildExport()]));
    await user.click(screen.getByRole('button', { name: 'Export' }));
    expect(await screen.findByRole('button', { name: /^Download \(12.35.MB\)$/ })).toBeDefined();
    expect(screen.getByText(/Kept until Nov 27, 2026/)).toBeDefined();
    const sentBodies = server.sentTo('POST /api/site-exports/kestrel').map(({ body }) => body as { uid: string });
    expect(sentBodies).toHaveLength(2);
    expect(sentBodies[0]).toEqual(sentBodies[1]);
  });

  it('cancels a running export, and says why one failed', async () => {
    const { user, server } = await setup([
      buildExport({ phase: 'RUNNING', job: 'j1', file: null }),
      buildExport({
        uid: 'e2',
        phase: 'FAILED',
        file: null,
        refusal: { message: 'imports.refused.exportFailed', values: { reference: 'r7' } },
      }),
    ]);
    expect(await screen.findByText(/reference r7/)).toBeDefined();
    server
      .on('POST /api/site-exports/e1/cancel', { status: 200, body: buildExport({ phase: 'CANCELLED', file: null }) })
      .on('GET /api/site-exports', pageOfExports([buildExport({ phase: 'CANCELLED', file: null })]));
    await user.click(screen.getByRole('button', { name: 'Cancel the export' }));
    expect(await screen.findByText('Cancelled')).toBeDefined();
    expect(server.sentTo('POST /api/site-exports/e1/cancel')).toHaveLength(1);
  });

  it.each([
    ['en', 'What is in it, and what is not', 'Scans · 2,000 cloudsThe cloud Deck has no upload.'],
    [
      'fr',
      'Ce qu’il contient, et ce qu’il ne contient pas',
      'Scans · 2\u202f000 nuagesLe nuage Deck n’a pas de fichier.',
    ],
  ] as const)('names what an export leaves out, in the language %s', async (language, name, text) => {
    const notes = [{ en: 'The cloud Deck has no upload.', fr: 'Le nuage Deck n’a pas de fichier.' }];
    const countNames = { clouds: { en: 'clouds', fr: 'nuages' } };
    const contents = [{ title: { en: 'Scans', fr: 'Scans' }, counts: { clouds: 2000 }, countNames, notes }];
    await setup([buildExport({ contents })], [], undefined, language);
    const list = await screen.findByRole('list', { name, hidden: true });
    expect(list.textContent).toBe(text);
  });
});

describe('import of a site', () => {
  it('uploads a file, shows what it would change, and imports it once that is confirmed', async () => {
    const { user, server } = await setup([]);
    const path = 'POST /api/site-imports/:import';
    let lost = true;
    server
      .on(path, () => {
        if (lost) throw new ConnectionLostError();
        return { status: 201, body: buildImport({ phase: 'CHECKING', job: 'j1', contents: [], applicable: false }) };
      })
      .on('GET /api/jobs/:id', { status: 404, body: { code: 'E003', message: 'Gone.', reference: 'r' } });
    await user.upload(await screen.findByTestId('file-input'), new File(['x'], 'kestrel.zip'));
    await user.click(screen.getByRole('button', { name: 'Upload and check' }));
    expect(await screen.findByText(/^The connection was lost at 0%/)).toBeDefined();
    lost = false;
    server.on('GET /api/site-imports', pageOfImports([buildImport()]));
    act(() => void window.dispatchEvent(new Event('online')));
    const card = await screen.findByRole('region', { name: 'Kestrel (kestrel)' });
    expect(new Set(server.sentTo(path).map((request) => request.path)).size).toBe(1);
    expect(within(card).getByText('15 rows would be added or changed.')).toBeDefined();
    const row = within(card).getByRole('row', { name: /^Workbooks/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['12', '3', '4']);
    expect(within(card).getByText(/no plugin for it/)).toBeDefined();
    const finishedImport = buildImport({ phase: 'DONE', applicable: false, restarted: true });
    server
      .on('POST /api/site-imports/i1/apply', { status: 200, body: finishedImport })
      .on('GET /api/site-imports', pageOfImports([finishedImport]));
    await user.click(within(card).getByRole('button', { name: 'Import the site' }));
    expect(await screen.findByText('Imported')).toBeDefined();
    expect(screen.getByText('15 rows were added or changed.')).toBeDefined();
    expect(screen.getByText(/^The server was restarted during the import/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Import the site' })).toBeNull();
  });

  it('says why an import failed, and imports again what failed while it was written', async () => {
    const refusal = { message: 'imports.refused.transferZipDamaged' };
    const { user, server } = await setup(
      [],
      [
        buildImport({ phase: 'FAILED', site: null, siteName: null, refusal, applicable: false, contents: [] }),
        buildImport({ uid: 'i2', phase: 'FAILED' }),
      ],
    );
    expect(await screen.findByText(/^The file is no ZIP file/)).toBeDefined();
    expect(screen.getByText(/^The server stopped during the import/)).toBeDefined();
    server.on('POST /api/site-imports/i2/apply', {
      status: 409,
      body: { code: 'E002', message: 'No.', refusal: { message: 'imports.refused.wrongPhase' }, reference: 'r' },
    });
    await user.click(screen.getByRole('button', { name: 'Import again' }));
    expect(await screen.findByText('This is not possible at this step of the import.')).toBeDefined();
    server
      .on('POST /api/site-imports/i2/cancel', { status: 200, body: buildImport({ uid: 'i2', phase: 'CANCELLED' }) })
      .on('GET /api/site-imports', pageOfImports([]));
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByText(/^The server stopped during the import/)).toBeNull());
  });

  it('offers no upload without the right to configure', async () => {
    await setup([], [], ['import']);
    expect(await screen.findByText(/you need the right to configure as well/)).toBeDefined();
    expect(screen.queryByTestId('file-input')).toBeNull();
  });
});
