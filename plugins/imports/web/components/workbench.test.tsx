import { act, screen, waitFor, within } from '@testing-library/react';
import type { Job } from '#core/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeServerEvents, pretendSize } from '#core/testing/web';
import { buildImport, buildKind, buildRow, buildSheet } from '../../testing/web.ts';
import {
  buildServer,
  buildServerState,
  currentStep,
  importWithoutErrors,
  renderWorkbench,
  toBodies,
} from '../../testing/web/render-workbench.tsx';

let restoreSizes: () => void;
beforeEach(() => {
  restoreSizes = pretendSize(1000, 480);
});
afterEach(() => restoreSizes());

describe('steps of an import', () => {
  it('links to the import that a refused workbook resembles', async () => {
    const refusal = {
      message: 'imports.refused.otherKind',
      values: { kind: 'Lines (Lignes)' },
      sentence: '',
    };
    const value = buildImport({ phase: 'FILES', site: 'hb', refusal });
    const lines = buildKind({ id: 'tour.lines', title: { en: 'Lines', fr: 'Lignes' } });
    const server = buildServer(buildServerState({ value }));
    await renderWorkbench(server.on('GET /api/imports/kinds', { status: 200, body: [buildKind(), lines] }));
    const link = await screen.findByRole('link', { name: 'Begin an import of Lines' });
    expect(link.getAttribute('href')).toMatch(/\/imports\/new\?kind=tour\.lines&site=hb$/);
  });

  it('[DAT-05] lists the rows that an undo has kept, also later', async () => {
    const undoReport = {
      change: 'c2',
      counted: 'ROWS' as const,
      reversed: 2,
      kept: 1,
      blocked: 0,
      rows: [{ table: 'tag', sheets: ['Tags'], name: 'V-2101', code: null, outcome: 'KEPT' as const, reason: null }],
    };
    const value = buildImport({
      phase: 'DONE',
      result: 'SUCCESS',
      change: 'c1',
      undone: true,
      undoneInPart: true,
      undoReport,
    });
    await renderWorkbench(buildServer(buildServerState({ value })));
    expect(await screen.findByText('This import was undone, except for some rows.')).toBeDefined();
    expect(screen.getByText('2 rows were reversed, 1 was kept because it was edited since.')).toBeDefined();
    expect(screen.getByRole('list', { name: 'Rows that are not reversed' }).textContent).toBe(
      'Tags: V-2101 – kept, because it was edited since',
    );
  });

  it('opens the current step, and other steps by the URL, with an entry in the history for each', async () => {
    const { user } = await renderWorkbench(buildServer(buildServerState()));
    expect(await screen.findByRole('grid', { name: 'Rows of sheet Tags' })).toBeDefined();
    expect(currentStep()).toBe('3Check');
    await user.click(screen.getByRole('button', { name: /Columns/ }));
    expect([currentStep(), location.search]).toEqual(['2Columns', '?step=columns']);
    history.back();
    await waitFor(() => expect(currentStep()).toBe('3Check'));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /Done/ }).disabled).toBe(true);
  });

  it('shows the files, and cancels nothing if the person keeps the import', async () => {
    const server = buildServer(buildServerState()).on('POST /api/imports/:batch/cancel', {
      status: 200,
      body: buildImport({ phase: 'CANCELLED' }),
    });
    const { user } = await renderWorkbench(server, '?step=files');
    expect((await screen.findByRole('list', { name: 'Files of this import' })).textContent).toContain('tags-rev4.xlsx');
    await user.click(screen.getByRole('button', { name: 'Cancel the import' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Keep the import' }));
    expect(server.sentTo('POST /api/imports/:batch/cancel')).toEqual([]);
  });
});

describe('files', () => {
  it('removes a file that was uploaded', async () => {
    const first = { name: 'tags.xlsx', bytes: 12_000 };
    const second = { name: 'tags-rev5.xlsx', bytes: 13_000 };
    const server = buildServer(buildServerState({ value: buildImport({ files: [first, second] }) })).on(
      'DELETE /api/imports/:batch/files',
      { status: 200, body: buildImport({ phase: 'READING', files: [second] }) },
    );
    const { user } = await renderWorkbench(server, '?step=files');
    const list = within(await screen.findByRole('list', { name: 'Files of this import' }));
    await user.click(list.getByRole('button', { name: 'Remove tags.xlsx' }));
    await waitFor(() => expect(list.queryByText('tags.xlsx')).toBeNull());
    expect(server.sentTo('DELETE /api/imports/:batch/files').map(({ query }) => query.get('name'))).toEqual([
      'tags.xlsx',
    ]);
    expect(list.queryByRole('button')).toBeNull();
  });

  const correctedImport = buildImport({ sheets: [buildSheet({ correctedCells: 2, leftOut: 1 })] });
  const findDiscardDialog = async () =>
    within(await screen.findByRole('alertdialog', { name: 'Discard 3 corrections?' }));

  it('asks before the removal of a file discards corrections, and says how many', async () => {
    const server = buildServer(buildServerState({ value: correctedImport })).on('DELETE /api/imports/:batch/files', {
      status: 200,
      body: buildImport({ phase: 'FILES', files: [] }),
    });
    const { user } = await renderWorkbench(server, '?step=files');
    await user.click(await screen.findByRole('button', { name: 'Remove tags-rev4.xlsx' }));
    const dialog = await findDiscardDialog();
    expect(dialog.getByText(/that were made here are lost: 2 corrected cells, 1 row left out\.$/)).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Keep the corrections' }));
    expect(server.sentTo('DELETE /api/imports/:batch/files')).toEqual([]);
    await user.click(await screen.findByRole('button', { name: 'Remove tags-rev4.xlsx' }));
    await user.click((await findDiscardDialog()).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(screen.queryByText('tags-rev4.xlsx')).toBeNull());
    expect(server.sentTo('DELETE /api/imports/:batch/files')).toHaveLength(1);
  });

  it('asks before an upload discards corrections', async () => {
    const server = buildServer(buildServerState({ value: correctedImport }))
      .on('POST /api/imports', { status: 201, body: correctedImport })
      .on('POST /api/imports/:batch/files', { status: 200, body: correctedImport });
    const { user } = await renderWorkbench(server, '?step=files');
    await user.upload(await screen.findByTestId('file-input'), new File(['x'], 'tags-rev5.xlsx'));
    await user.click(screen.getByRole('button', { name: 'Upload and check' }));
    await user.click((await findDiscardDialog()).getByRole('button', { name: 'Keep the corrections' }));
    expect(server.sentTo('POST /api/imports/:batch/files')).toEqual([]);
    await user.click(await screen.findByRole('button', { name: 'Upload and check' }));
    await user.click((await findDiscardDialog()).getByRole('button', { name: 'Upload and check' }));
    await waitFor(() => expect(server.sentTo('POST /api/imports/:batch/files')).toHaveLength(1));
  });

  it('uploads a file at once if there are no corrections', async () => {
    const server = buildServer(buildServerState())
      .on('POST /api/imports', { status: 201, body: buildImport() })
      .on('POST /api/imports/:batch/files', { status: 200, body: buildImport() });
    const { user } = await renderWorkbench(server, '?step=files');
    await user.upload(await screen.findByTestId('file-input'), new File(['x'], 'tags-rev5.xlsx'));
    await user.click(screen.getByRole('button', { name: 'Upload and check' }));
    await waitFor(() => expect(server.sentTo('POST /api/imports/:batch/files')).toHaveLength(1));
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('asks as which sheets those with unknown names are read, with the likeliest one preselected', async () => {
    const buildFileSheet = (name: string, proposal: string | null) => ({
      ...{ name, file: 'plant.xlsx', sheet: null, by: null, proposal },
    });
    const fileSheets = [
      buildFileSheet('Kennzeichen', 'tags'),
      buildFileSheet('Hinweise', null),
      buildFileSheet('Sheet1', null),
    ];
    const value = buildImport({ phase: 'FILES', fileSheets });
    const server = buildServer(buildServerState({ value })).on('POST /api/imports/:batch/read-again', {
      status: 200,
      body: buildImport({ phase: 'READING', job: 'j-1' }),
    });
    const { user } = await renderWorkbench(server);
    const select = async (name: string) =>
      screen.findByRole<HTMLSelectElement>('combobox', { name: `“${name}” of plant.xlsx is read as` });
    expect([(await select('Kennzeichen')).value, (await select('Hinweise')).value]).toEqual(['tags', '']);
    await user.selectOptions(await select('Hinweise'), 'Tags');
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Read the files this way' });
    expect([button.disabled, screen.getByText(/^Two sheets are read as the same one/).tagName]).toEqual([true, 'P']);
    await user.selectOptions(await select('Hinweise'), '(not imported)');
    expect(
      ['Proposed, not read yet', 'Chosen, not read yet', 'Not decided yet'].map(
        (hint) => screen.getAllByText(hint).length,
      ),
    ).toEqual([1, 1, 1]);
    await user.click(button);
    expect(toBodies(server.sentTo('POST /api/imports/:batch/read-again'))).toEqual([
      {
        version: 1,
        fileSheets: [
          { name: 'Kennzeichen', sheet: 'tags' },
          { name: 'Hinweise', sheet: null },
        ],
      },
    ]);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Read the files this way' })).toBeNull());
  });

  it('says which sheets are read by a choice from an earlier import', async () => {
    const fileSheets = [
      { name: 'Kennzeichen', file: 'plant.xlsx', sheet: 'tags', by: 'REMEMBERED' as const, proposal: null },
    ];
    await renderWorkbench(buildServer(buildServerState({ value: buildImport({ fileSheets }) })), '?step=check');
    expect((await screen.findByText(/^Sheet “Kennzeichen” of plant.xlsx is read as/)).textContent).toBe(
      'Sheet “Kennzeichen” of plant.xlsx is read as Tags, as it was chosen in an earlier import. It can be changed in the step Columns.',
    );
  });

  it('says which file the workbook with errors replaces', async () => {
    const { user } = await renderWorkbench(buildServer(buildServerState()), '?step=files');
    await user.upload(await screen.findByTestId('file-input'), new File(['x'], 'tags-rev4_ERROR.xlsx'));
    expect(screen.getByText('tags-rev4_ERROR.xlsx replaces tags-rev4.xlsx.')).toBeDefined();
  });
});

describe('preview and import', () => {
  it('disables the button Import while there are errors, and says why', async () => {
    await renderWorkbench(buildServer(buildServerState()), '?step=preview');
    const button = await screen.findByRole('button', { name: 'Import' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByText('The import can start once no row has errors. Now 1 row has errors.')).toBeDefined();
  });

  it('[IMP-05] applies an import without changes if another one waits for it, and warns that both would be cancelled', async () => {
    const value = buildImport({
      sheets: [buildSheet({ withErrors: 0, added: 0, changed: 0, unchanged: 3 })],
      followers: [{ uid: 'b2', kind: 'permits.permits', phase: 'WAITING' }],
    });
    const server = buildServer(buildServerState({ value, rows: [], problems: [] })).on(
      'POST /api/imports/:batch/apply',
      {
        status: 200,
        body: buildImport({ phase: 'APPLYING' }),
      },
    );
    const { user } = await renderWorkbench(server);
    await user.click(await screen.findByRole('button', { name: 'Cancel the import' }));
    const cancelDialog = within(await screen.findByRole('alertdialog'));
    expect(cancelDialog.getByText(/and so are the imports that wait for this one/)).toBeDefined();
    await user.click(cancelDialog.getByRole('button', { name: 'Keep the import' }));
    await user.click(await screen.findByRole('button', { name: 'Import' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('radio', { name: /I have/ }));
    await user.click(dialog.getByRole('button', { name: 'Import' }));
    await waitFor(() => expect(server.sentTo('POST /api/imports/:batch/apply')).toHaveLength(1));
  });

  it('[IMP-03] asks for a backup, warns that all users are logged out, and names the rows to be removed', async () => {
    const value = buildImport({ mode: 'REPLACE', sheets: [buildSheet({ withErrors: 0, removed: 2 })] });
    const removedRow = buildRow({ id: '9', row: null, state: 'REMOVED', values: {}, before: { tag: 'V-1999' } });
    const server = buildServer(buildServerState({ value, rows: [removedRow], problems: [] })).on(
      'POST /api/imports/:batch/apply',
      {
        status: 200,
        body: buildImport({ phase: 'APPLYING' }),
      },
    );
    const { user } = await renderWorkbench(server);
    await user.click(await screen.findByRole('button', { name: 'Import' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/^Take a database backup\. All users will be logged out/)).toBeDefined();
    const importButton = dialog.getByRole<HTMLButtonElement>('button', { name: 'Import' });
    expect(importButton.disabled).toBe(true);
    await user.click(dialog.getByRole('radio', { name: /^Back up now/ }));
    await user.click(dialog.getByRole('checkbox', { name: 'Remove 2 rows that are not in the file' }));
    expect(await dialog.findByText('V-1999')).toBeDefined();
    await user.click(importButton);
    expect(toBodies(server.sentTo('POST /api/imports/:batch/apply'))).toEqual([
      { version: 1, remove: true, backup: true },
    ]);
    await waitFor(() => expect(currentStep()).toBe('5Done'));
    expect(screen.queryByRole('button', { name: 'Cancel the import' })).toBeNull();
  });

  it('names what an undo cannot take back, before rows are written', async () => {
    const kind = buildKind({ sideEffect: { en: 'New people are invited by mail.', fr: 'Invitations.' } });
    const value = buildImport({ sheets: [buildSheet({ withErrors: 0 })] });
    const { user } = await renderWorkbench(buildServer(buildServerState({ value, rows: [], problems: [] }), kind));
    await user.click(await screen.findByRole('button', { name: 'Import' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText('New people are invited by mail.')).toBeDefined();
  });

  it.each([
    { blocksOthers: true, added: 10_000, isWarned: true },
    { blocksOthers: true, added: 9_999, isWarned: false },
    { blocksOthers: false, added: 10_000, isWarned: false },
  ])(
    'warns that others must wait ($added rows, blocks others: $blocksOthers): $isWarned',
    async ({ blocksOthers, added, isWarned }) => {
      const value = buildImport({ blocksOthers, sheets: [buildSheet({ withErrors: 0, added, changed: 0 })] });
      const { user } = await renderWorkbench(buildServer(buildServerState({ value, rows: [], problems: [] })));
      await user.click(await screen.findByRole('button', { name: 'Import' }));
      const dialog = within(await screen.findByRole('alertdialog'));
      const warning = dialog.queryByText(/^While these 10,000 rows are written, others can look at everything/);
      expect(warning !== null).toBe(isWarned);
    },
  );

  it('shows the current state if another admin changed the import meanwhile', async () => {
    const serverState = buildServerState({ value: importWithoutErrors, rows: [], problems: [] });
    const server = buildServer(serverState).on('POST /api/imports/:batch/apply', () => {
      serverState.value = buildImport({ version: 3 });
      return {
        status: 409,
        body: {
          code: 'E005',
          message: 'No.',
          refusal: { message: 'imports.refused.importChanged' },
          reference: 'r',
        },
      };
    });
    const { user } = await renderWorkbench(server);
    await user.click(await screen.findByRole('button', { name: 'Import' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('radio', { name: 'I have a backup' }));
    await user.click(dialog.getByRole('button', { name: 'Import' }));
    expect(await screen.findByText('The import was changed in the meantime. Please check it again.')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(currentStep()).toBe('3Check');
  });

  it('names rows that were edited since the preview', async () => {
    const refusal = { message: 'imports.refused.rowsChanged', values: { count: 2, name: 'V-2101' } };
    await renderWorkbench(buildServer(buildServerState({ value: { ...importWithoutErrors, refusal } })));
    expect(await screen.findByText(/^2 row\(s\) were changed since the preview, among them “V-2101”/)).toBeDefined();
    expect(currentStep()).toBe('4Preview');
  });
});

describe('progress', () => {
  it('[IMP-10] counts the rows that are read, shows how much is checked, and the preview at the end', async () => {
    const serverState = buildServerState({ value: buildImport({ phase: 'READING', job: 'j1', sheets: [] }) });
    const job: Job = {
      id: 'j1',
      kind: 'imports.check',
      status: 'INPROGRESS',
      result: null,
      done: 0,
      total: null,
      message: null,
      refusal: null,
      createdAt: '2126-11-20T09:00:00.000Z',
      finishedAt: null,
    };
    const events = new FakeServerEvents();
    const server = buildServer(serverState).on('GET /api/jobs/:id', { status: 200, body: job });
    await renderWorkbench(server, '', 'en', events);
    expect(await screen.findByText('Reading the files')).toBeDefined();
    const publish = (changes: Partial<Job>) => act(() => events.publish('job.j1', { ...job, ...changes }));
    publish({ done: 1200 });
    expect(screen.getByText('Reading the files · 1,200 rows')).toBeDefined();
    publish({ done: 3, total: 24 });
    expect(screen.getByText('Reading the files · 13%')).toBeDefined();
    publish({ done: 2, total: 24 });
    expect(screen.getByRole('progressbar', { name: 'Reading the files' }).getAttribute('aria-valuenow')).toBe('0.125');
    serverState.value = importWithoutErrors;
    publish({ done: 24, total: 24, status: 'COMPLETED', result: 'SUCCESS' });
    await waitFor(() => expect(currentStep()).toBe('4Preview'));
    expect(screen.queryByRole('progressbar')).toBeNull();
  });
});

describe('result', () => {
  const doneState = { phase: 'DONE', status: 'COMPLETED', finishedAt: '2026-11-20T09:05:00.000Z' } as const;

  it('[IMP-02] shows the result and whether a backup was made, and offers to undo the import', async () => {
    const value = buildImport({ ...doneState, result: 'WARNING', change: 'c1', backup: true });
    await renderWorkbench(buildServer(buildServerState({ value })));
    expect(await screen.findByText('The rows were imported, with warnings.')).toBeDefined();
    expect(screen.getByText('Warning')).toBeDefined();
    expect(screen.getByText('Backup made by this import').nextElementSibling?.textContent).toBe('Yes');
    expect(screen.getByRole('button', { name: 'Undo' })).toBeDefined();
  });

  it('[IMP-02] tells why an import failed, and that nothing was written', async () => {
    const refusal = { message: 'imports.refused.failed', values: { reference: 'j-17' } };
    await renderWorkbench(
      buildServer(buildServerState({ value: buildImport({ ...doneState, result: 'FAILED', refusal }) })),
    );
    expect(
      await screen.findByText(
        /^The import failed because of an error of the server\. Nothing was written\. .* reference j-17\.$/,
      ),
    ).toBeDefined();
    expect(screen.getByText('Failed')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });
});
