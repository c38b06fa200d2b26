import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  buildMe,
  buildSite,
  ConnectionLostError,
  FakeServer,
  pretendSize,
  renderApp,
  renderScreen,
} from '#core/testing/web';
import { buildImport, buildKind, importsPlugin } from '../../testing/web.ts';
import type { ListedImport } from '../components/history/history-cells.tsx';
import ImportsScreen from './imports-screen.tsx';

let restoreSizes: () => void;
beforeEach(() => {
  restoreSizes = pretendSize(1000, 480);
});
afterEach(() => restoreSizes());

const buildListed = (changes: Partial<ListedImport> = {}): ListedImport => {
  const { sheets, followers, findings, ...summary } = buildImport({
    phase: 'DONE',
    status: 'COMPLETED',
    result: 'SUCCESS',
    change: 'c1',
  });
  return { ...summary, added: 3334, changed: 52, removed: 0, unchanged: 12, leftOut: 0, ...changes };
};
const toPage = (rows: readonly ListedImport[]) => ({ status: 200, body: { total: rows.length, offset: 0, rows } });
const addReplies = (server: FakeServer, kinds = [buildKind()]) =>
  server
    .on('GET /api/imports/kinds', { status: 200, body: kinds })
    .on('GET /api/imports', toPage([buildListed()]))
    .on('GET /api/locations', { status: 200, body: [buildSite('kestrel')] });
const buildServer = (kinds = [buildKind()]) => addReplies(new FakeServer(), kinds);
const setup = (server: FakeServer, url = '/admin/console/imports', language: 'en' | 'fr' = 'en') =>
  renderScreen(<ImportsScreen />, {
    plugins: [importsPlugin],
    server,
    url,
    language,
    me: buildMe({ isAdmin: true }),
  });
const workbook = new File(['x'], 'tags-rev4.xlsx');

describe('history of imports', () => {
  it('[IMP-10] shows who imported what and when, with counts and the result', async () => {
    await setup(buildServer());
    const row = (await screen.findByRole('link', { name: 'Tags' })).closest<HTMLElement>('[role=row]')!;
    expect(row.textContent).toContain('tags-rev4.xlsx');
    expect(row.textContent).toMatch(/Nov 20, 2026.*Ada/);
    expect(row.textContent).toContain('3,334 new, 52 changed, 12 unchanged');
    expect(within(row).getByText('Success')).toBeDefined();
  });

  it('shows the site of an import, and all imports in one time zone, that of the product', async () => {
    const server = buildServer()
      .on('GET /api/locations', { status: 200, body: [buildSite('kestrel', { timeZone: 'Asia/Kolkata' })] })
      .on('GET /api/imports', toPage([buildListed({ site: 'kestrel' }), buildListed({ uid: 'b2' })]));
    await setup(server);
    const [row, otherRow] = (await screen.findAllByRole('link', { name: 'Tags' })).map((link) =>
      link.closest<HTMLElement>('[role=row]')!,
    );
    expect(await within(row!).findByText('kestrel · tags-rev4.xlsx')).toBeDefined();
    expect([row, otherRow].map((element) => element!.textContent.includes('09:00 AM UTC'))).toEqual([true, true]);
  });

  it('filters by kind, in the URL', async () => {
    const server = buildServer([
      buildKind(),
      buildKind({ id: 'masters.masters', title: { en: 'Masters', fr: 'Données' } }),
    ]);
    const { user } = await setup(server);
    await screen.findByRole('link', { name: 'Tags' });
    server.on('GET /api/imports', toPage([]));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Masters');
    expect(await screen.findByText('Nothing of this kind was imported yet')).toBeDefined();
    expect(server.sentTo('GET /api/imports').map(({ query }) => query.get('kind'))).toEqual([null, 'masters.masters']);
    expect(location.search).toBe('?kind=masters.masters');
  });

  it('offers a new import if nothing was imported yet', async () => {
    await setup(buildServer().on('GET /api/imports', toPage([])));
    expect(await screen.findByText('Nothing was imported yet')).toBeDefined();
    expect(screen.getAllByRole('button', { name: 'New import' })).toHaveLength(2);
  });

  it('reports missing access, and retries after a lost connection', async () => {
    await setup(
      buildServer().on('GET /api/imports/kinds', {
        status: 403,
        body: { code: 'E003', message: 'No.', reference: 'r' },
      }),
    );
    expect(await screen.findByText('You do not have access to imports')).toBeDefined();
    let offline = true;
    const { user } = await setup(
      buildServer().on('GET /api/imports', () => {
        if (offline) throw new ConnectionLostError();
        return toPage([buildListed()]);
      }),
    );
    const retryButton = await screen.findByRole('button', { name: 'Try again' });
    offline = false;
    await user.click(retryButton);
    expect(await screen.findByRole('link', { name: 'Tags' })).toBeDefined();
  });

  it('[DAT-05] tells what undoing would do, does it, and tells what was done', async () => {
    const row = {
      table: 'node',
      sheets: ['Viewpoints'],
      name: 'Pump hall',
      code: 'VP-2103',
      outcome: 'KEPT' as const,
      reason: { message: 'imports.refused.changedSince' },
    };
    const server = buildServer().on('POST /api/imports/:batch/undo', ({ body }) => ({
      status: 200,
      body: (body as { dryRun: boolean }).dryRun
        ? { change: null, counted: 'ROWS', reversed: 3300, kept: 12, blocked: 0, rows: [row] }
        : { change: 'c2', counted: 'ENTRIES', reversed: 3299, kept: 13, blocked: 0, rows: [row] },
    }));
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(
      await dialog.findByText('3,300 rows would be reversed, 12 are kept because they were edited since.'),
    ).toBeDefined();
    expect(dialog.getAllByRole('listitem')[0]!.textContent).toBe(
      'Viewpoints: VP-2103 (Pump hall) – The row was changed since the preview. Please check it again.',
    );
    expect(dialog.getByText(/^Tags · tags-rev4\.xlsx · /)).toBeDefined();
    expect(dialog.getByRole('button', { name: 'Keep the import' })).toBeDefined();
    server.on(
      'GET /api/imports',
      toPage([buildListed({ undone: true }), buildListed({ uid: 'b2', undone: true, undoneInPart: true })]),
    );
    await user.click(dialog.getByRole('button', { name: 'Undo' }));
    expect(
      await screen.findByText('3,299 entries were reversed, 13 were kept because they were edited since.'),
    ).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(await screen.findByText('Undone')).toBeDefined();
    expect(screen.getByText('Partly undone')).toBeDefined();
  });
});

describe('new import', () => {
  it('[IMP-04] marks required files by an asterisk and refuses an upload without them', async () => {
    const server = buildServer();
    const { user } = await setup(server, '/admin/console/imports/new');
    const expected = within(await screen.findByRole('list', { name: 'Expected files' }));
    expect(expected.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Tag list * · Excel workbook, CSV or JSON',
      'Pictures (optional) · file or ZIP',
    ]);
    await user.click(screen.getByRole('button', { name: 'Upload and check' }));
    expect(await screen.findByText('Please choose the required file: Tag list')).toBeDefined();
    expect(server.sentTo('POST /api/imports')).toEqual([]);
  });

  it('creates the import and uploads its files', async () => {
    const server = buildServer([buildKind({ scope: 'SITE' })])
      .on('POST /api/imports', { status: 201, body: buildImport({ phase: 'FILES' }) })
      .on('POST /api/imports/:batch/files', { status: 200, body: buildImport({ phase: 'READING' }) });
    const { user } = await setup(server, '/admin/console/imports/new');
    await screen.findByRole('option', { name: 'kestrel' });
    await user.click(screen.getByRole('radio', { name: /^The file is everything/ }));
    await user.upload(screen.getByTestId('file-input'), [workbook, new File(['z'], 'pictures.zip')]);
    await user.click(screen.getByRole('button', { name: 'Upload and check' }));
    await waitFor(() => expect(server.sentTo('POST /api/imports/:batch/files')).toHaveLength(1));
    const createdImport = server.sentTo('POST /api/imports')[0]!.body as { readonly uid: string };
    expect(createdImport).toMatchObject({ kind: 'tour.tags', mode: 'REPLACE', site: 'kestrel' });
    const [sent] = server.sentTo('POST /api/imports/:batch/files');
    expect(sent!.path).toBe(`/api/imports/${createdImport.uid}/files`);
    expect((sent!.body as FormData).getAll('file').map((file) => (file as File).name)).toEqual([
      'tags-rev4.xlsx',
      'pictures.zip',
    ]);
    expect(location.pathname).toBe(`/dashboard/admin/console/imports/${createdImport.uid}`);
  });

  it('offers the upload when the sites are loaded', async () => {
    let sendSites = (): void => undefined;
    const sitesSent = new Promise<void>((resolve) => {
      sendSites = resolve;
    });
    const server = buildServer([buildKind({ scope: 'SITE' })]).on('GET /api/locations', async () => {
      await sitesSent;
      return { status: 200, body: [buildSite('kestrel')] };
    });
    await setup(server, '/admin/console/imports/new');
    const button = await screen.findByRole('button', { name: 'Upload and check' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    sendSites();
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull());
  });

  it('[IMP-05] sends the workbook of permits after that of a tour, and requires it if rows can be removed', async () => {
    const permits = buildKind({
      id: 'permits.permits',
      title: { en: 'Permits', fr: 'Permis' },
      scope: 'SITE',
      follows: 'tour.tags',
      files: [{ title: { en: 'Permit list', fr: 'Liste des permis' }, kind: 'EXCEL', required: true }],
    });
    const server = buildServer([buildKind({ scope: 'SITE' }), permits])
      .on('GET /api/imports/kinds/:kind/following', {
        status: 200,
        body: [{ kind: 'permits.permits', hasRows: true }],
      })
      .on('POST /api/imports', { status: 201, body: buildImport({ phase: 'FILES' }) })
      .on('POST /api/imports/:batch/files', { status: 200, body: buildImport({ phase: 'READING' }) });
    const { user } = await setup(server, '/admin/console/import-tour');
    const section = within(await screen.findByRole('region', { name: 'Permits' }));
    expect(section.getByRole('listitem').textContent).toContain('Permit list (optional)');
    await user.click(screen.getByRole('radio', { name: /^The file is everything/ }));
    expect(section.getByRole('listitem').textContent).toContain('Permit list *');
    await user.upload(screen.getAllByTestId('file-input')[0]!, workbook);
    await user.click(screen.getByRole('button', { name: 'Upload and check' }));
    expect(await section.findByText('Please choose the required file: Permit list')).toBeDefined();
    expect(server.sentTo('POST /api/imports')).toEqual([]);

    await user.upload(section.getByTestId('file-input'), new File(['p'], 'permits.xlsx'));
    await user.click(screen.getByRole('button', { name: 'Upload and check' }));
    await waitFor(() => expect(server.sentTo('POST /api/imports/:batch/files')).toHaveLength(2));
    const [tour, follower] = server.sentTo('POST /api/imports').map(({ body }) => body as { readonly uid: string });
    expect([tour, follower]).toMatchObject([
      { kind: 'tour.tags', mode: 'REPLACE', site: 'kestrel' },
      { kind: 'permits.permits', mode: 'REPLACE', site: 'kestrel', follows: tour!.uid },
    ]);
    expect(location.pathname).toBe(`/dashboard/admin/console/imports/${tour!.uid}`);
  });

  it('[IMP-05] shows the import that this one waits for, and those that follow this one', async () => {
    const server = new FakeServer().on('GET /api/imports/:batch', {
      status: 200,
      body: buildImport({
        phase: 'WAITING',
        follows: 'first',
        followers: [{ uid: 'third', kind: 'tour.tags', phase: 'PREVIEW' }],
      }),
    });
    await setup(addReplies(server), '/admin/console/imports/b1');
    const followedLink = await screen.findByRole('link', { name: 'Open the other import' });
    expect(followedLink.getAttribute('href')).toMatch(/imports\/first$/);
    const followerLink = screen.getByRole('link', { name: 'Tags' });
    expect(followerLink.getAttribute('href')).toMatch(/imports\/third$/);
    expect(followerLink.parentElement!.textContent).toBe('Follows this import: Tags · Not imported yet');
    expect(screen.getByRole('button', { name: 'Cancel the import' })).toBeDefined();
  });

  it('keeps chosen files until they are removed', async () => {
    const { user } = await setup(buildServer(), '/admin/console/imports/new');
    await user.upload(await screen.findByTestId('file-input'), workbook);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Tags');
    expect(screen.getByRole('list', { name: 'Chosen files' }).textContent).toContain('tags-rev4.xlsx');
    await user.click(screen.getByRole('button', { name: 'Remove tags-rev4.xlsx' }));
    expect(screen.queryByRole('list', { name: 'Chosen files' })).toBeNull();
  });

  it('sends the files again when a lost connection is back, for the same import', async () => {
    let lost = true;
    const server = new FakeServer().on('GET /api/imports/:batch', { status: 200, body: buildImport() });
    addReplies(server)
      .on('POST /api/imports', { status: 201, body: buildImport({ phase: 'FILES' }) })
      .on('POST /api/imports/:batch/files', () => {
        if (lost) throw new ConnectionLostError();
        return { status: 200, body: buildImport({ phase: 'READING' }) };
      })
      .on('GET /api/imports/:batch/rows', { status: 200, body: { total: 0, offset: 0, rows: [] } })
      .on('GET /api/imports/:batch/problems', { status: 200, body: { total: 0, offset: 0, rows: [] } });
    const { user } = await setup(server, '/admin/console/imports/new');
    await user.upload(await screen.findByTestId('file-input'), workbook);
    await user.click(screen.getByRole('button', { name: 'Upload and check' }));
    expect(await screen.findByText(/^The connection was lost at 0%\. Nothing is lost/)).toBeDefined();
    expect(screen.getByRole('list', { name: 'Chosen files' }).textContent).toContain('tags-rev4.xlsx');
    lost = false;
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByText(/^We Found Errors In the Excel/)).toBeDefined();
    const uids = server.sentTo('POST /api/imports').map(({ body }) => (body as { readonly uid: string }).uid);
    expect([uids.length, new Set(uids).size]).toEqual([2, 1]);
  });

  it('keeps the files of an upload that the server refused, so that they can be replaced', async () => {
    const server = buildServer()
      .on('POST /api/imports', { status: 201, body: buildImport({ phase: 'FILES' }) })
      .on('POST /api/imports/:batch/files', {
        status: 400,
        body: {
          code: 'E001',
          message: 'Please choose valid file.',
          refusal: { message: 'imports.refused.unreadable' },
          reference: 'r',
        },
      });
    const { user } = await setup(server, '/admin/console/imports/new');
    await user.upload(await screen.findByTestId('file-input'), workbook);
    await user.click(screen.getByRole('button', { name: 'Upload and check' }));
    expect(await screen.findByText('Please choose valid file.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Remove tags-rev4.xlsx' }));
    await user.upload(screen.getByTestId('file-input'), new File(['y'], 'tags-rev5.xlsx'));
    server
      .on('POST /api/imports/:batch/files', { status: 200, body: buildImport({ phase: 'READING' }) })
      .on('GET /api/imports/:batch', { status: 200, body: buildImport({ phase: 'READING' }) });
    await user.click(screen.getByRole('button', { name: 'Upload again' }));
    expect(await screen.findByRole('list', { name: 'Files of this import' })).toBeDefined();
    expect(
      (server.sentTo('POST /api/imports/:batch/files')[1]!.body as FormData)
        .getAll('file')
        .map((file) => (file as File).name),
    ).toEqual(['tags-rev5.xlsx']);
  });

  it('downloads the template and today’s data in the same layout', async () => {
    const server = buildServer().on('POST /api/imports/kinds/:kind/workbook', {
      status: 200,
      body: { address: '#file', name: 'TAGS.xlsx' },
    });
    const { user } = await setup(server, '/admin/console/import-tour', 'fr');
    await user.click(await screen.findByRole('button', { name: 'Télécharger les données actuelles' }));
    await waitFor(() =>
      expect(server.sentTo('POST /api/imports/kinds/:kind/workbook').map(({ body }) => body)).toEqual([
        { language: 'fr', rows: true },
      ]),
    );
  });
});

describe('pages of kinds', () => {
  const render = (path: string, kinds = [buildKind()]) =>
    renderApp({
      plugins: [importsPlugin],
      server: buildServer(kinds),
      url: path,
      me: buildMe({ isAdmin: true }),
    });

  it('[RTE-10:import-tour] opens the import of a kind at its own URL', async () => {
    await render('/admin/console/import-tour');
    expect(await screen.findByRole('heading', { name: 'Import: Tags' })).toBeDefined();
  });

  it('[RTE-13:locations] opens the import of locations at import-location', async () => {
    await render('/admin/console/import-location', [
      buildKind(),
      buildKind({ id: 'locations.locations', title: { en: 'Locations', fr: 'Emplacements' } }),
    ]);
    expect(await screen.findByRole('heading', { name: 'Import: Locations' })).toBeDefined();
  });

  it('[RTE-10:import-user] opens the import of users at import-user', async () => {
    await render('/admin/console/import-user', [
      buildKind(),
      buildKind({ id: 'users.users', title: { en: 'Users', fr: 'Utilisateurs' } }),
    ]);
    expect(await screen.findByRole('heading', { name: 'Import: Users' })).toBeDefined();
  });

  it('[RTE-10:import-permit] opens the first kind of permits at import-permit', async () => {
    await render('/admin/console/import-permit', [
      buildKind(),
      buildKind({ id: 'permits.permits', title: { en: 'Permits', fr: 'Permis' } }),
      buildKind({ id: 'permits.hac', title: { en: 'HAC zones', fr: 'Zones HAC' } }),
    ]);
    expect(await screen.findByRole('heading', { name: 'Import: Permits' })).toBeDefined();
  });

  it('shows the not-found page for a kind that no plugin contributes', async () => {
    await render('/admin/console/import-spp');
    expect(await screen.findByText('Page not found')).toBeDefined();
  });

  it.each(['imports', 'import-tour', 'import-user'])(
    '[ACC-02:imports] lets nobody into %s without the flag',
    async (path) => {
      const server = buildServer();
      await renderApp({
        plugins: [importsPlugin],
        server,
        url: `/admin/console/${path}`,
        me: buildMe({ isAdmin: true, access: { flags: [], locations: 'ALL', deactivatedRoles: [] } }),
      });
      expect(await screen.findByText(/You do not have access to/)).toBeDefined();
      expect(server.sentTo('GET /api/imports/kinds')).toEqual([]);
    },
  );
});
