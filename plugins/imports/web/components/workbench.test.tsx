import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildMe, FakeServer, pretendSize, renderScreen, type SentRequest } from '#core/testing/web';
import type { Import, ImportProblem, ImportRow } from '../../contract/api.ts';
import {
  buildColumn,
  buildImport,
  buildKind,
  buildProblem,
  buildRow,
  buildSheet,
  importsPlugin,
} from '../../testing/web.ts';
import ImportsScreen from '../screens/imports-screen.tsx';

let restoreSizes: () => void;
beforeEach(() => {
  restoreSizes = pretendSize(1000, 480);
});
afterEach(() => restoreSizes());

const failing = buildRow({
  id: '58',
  row: 58,
  state: 'ERROR',
  values: { tag: 'PI-2103', deck: 'MD-7', service: null },
  findings: [
    {
      column: 'deck',
      severity: 'ERROR',
      message: 'imports.refused.reference',
      values: { value: 'MD-7', entity: 'decks' },
    },
  ],
});
const changed = buildRow({
  id: '3',
  row: 3,
  state: 'CHANGED',
  values: { tag: 'PSV-2104', deck: 'MD-1', service: 'Relief' },
  before: { tag: 'PSV-2104', deck: 'MD-1', service: 'Blowdown' },
  changed: ['service'],
});
const toPage = <T,>(rows: readonly T[]) => ({ status: 200, body: { total: rows.length, offset: 0, rows } });

interface Present {
  value: Import;
  rows: readonly ImportRow[];
  problems: readonly ImportProblem[];
}

/** A server that holds one import, which a test changes. */
function buildServer(present: Present, kind = buildKind()) {
  return new FakeServer()
    .on('GET /api/imports/:batch', () => ({ status: 200, body: present.value }))
    .on('GET /api/imports/kinds', { status: 200, body: [kind] })
    .on('GET /api/imports/:batch/rows', () => toPage(present.rows))
    .on('GET /api/imports/:batch/problems', () => toPage(present.problems))
    .on('GET /api/locations', { status: 200, body: [] });
}
const setup = (server: FakeServer, search = '', language: 'en' | 'fr' = 'en') =>
  renderScreen(<ImportsScreen />, {
    plugins: [importsPlugin],
    server,
    address: `/admin/console/imports/b1${search}`,
    language,
    me: buildMe({ isAdmin: true }),
  });
const buildPresent = (changes: Partial<Present> = {}): Present => ({
  value: buildImport(),
  rows: [failing],
  problems: [buildProblem()],
  ...changes,
});
const isFree = buildImport({ sheets: [buildSheet({ withErrors: 0, added: 2, changed: 1 })] });
const findRows = async () => within(await screen.findByRole('grid', { name: /^(Rows of sheet|Lignes de la feuille)/ }));
const bodies = (requests: readonly SentRequest[]) => requests.map(({ body }) => body);
/** The modal layer of a dialog that was just closed may still hide the page. */
const presentStep = () =>
  within(screen.getByRole('navigation', { name: 'Steps of the import', hidden: true }))
    .getAllByRole('button', { hidden: true })
    .find((button) => button.getAttribute('aria-current') === 'step')?.textContent;

describe('steps of an import', () => {
  it('opens the step that needs the person, and others by address, back and forward', async () => {
    const { user } = await setup(buildServer(buildPresent()));
    expect(await screen.findByRole('grid', { name: 'Rows of sheet Tags' })).toBeDefined();
    expect(presentStep()).toBe('3Check');
    await user.click(screen.getByRole('button', { name: /Columns/ }));
    expect([presentStep(), location.search]).toEqual(['2Columns', '?step=columns']);
    history.back();
    await waitFor(() => expect(presentStep()).toBe('3Check'));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /Done/ }).disabled).toBe(true);
  });

  it('shows the files, and refuses an import that does not exist', async () => {
    const { user } = await setup(buildServer(buildPresent()), '?step=files');
    expect((await screen.findByRole('list', { name: 'Files of this import' })).textContent).toContain('tags-rev4.xlsx');
    const server = buildServer(buildPresent()).on('POST /api/imports/:batch/cancel', {
      status: 200,
      body: buildImport({ phase: 'CANCELLED' }),
    });
    await user.click(screen.getByRole('button', { name: 'Cancel the import' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }));
    expect(server.sentTo('POST /api/imports/:batch/cancel')).toEqual([]);
  });
});

describe('columns', () => {
  const columns = buildImport({
    phase: 'COLUMNS',
    sheets: [
      buildSheet({
        headers: [
          { header: 'Item', column: null, by: null, examples: ['V-2101', 'PI-2103'] },
          { header: 'Deck', column: 'deck', by: 'REMEMBERED', examples: ['MD-1'] },
        ],
        missing: ['tag'],
      }),
    ],
  });

  it('[DAT-04] puts required columns that are missing first, and goes on only when they are chosen', async () => {
    const server = buildServer(buildPresent({ value: columns })).on('PUT /api/imports/:batch/columns', {
      status: 200,
      body: buildImport(),
    });
    const { user } = await setup(server);
    const missing = within(await screen.findByRole('region', { name: 'Required columns that are missing' }));
    const go = screen.getByRole<HTMLButtonElement>('button', { name: 'Check the rows' });
    expect([go.disabled, presentStep()]).toEqual([true, '2Columns']);
    expect(screen.getByRole('row', { name: /^Deck MD-1/ }).textContent).toContain('chosen last time');
    await user.selectOptions(missing.getByRole('combobox', { name: /^Tag/ }), 'Item');
    expect(screen.getByRole('row', { name: /^Item V-2101 · PI-2103/ }).textContent).toContain('chosen');
    await user.click(go);
    expect(bodies(server.sentTo('PUT /api/imports/:batch/columns'))).toEqual([
      {
        sheet: 'tags',
        headers: [
          { header: 'Item', column: 'tag' },
          { header: 'Deck', column: 'deck' },
        ],
      },
    ]);
    await waitFor(() => expect(presentStep()).toBe('3Check'));
  });

  it('keeps a choice that is not sent while the person looks at another step', async () => {
    const { user } = await setup(buildServer(buildPresent({ value: columns })));
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Column for “Item”' }), 'Tag *');
    await user.click(screen.getByRole('button', { name: /Files/ }));
    await user.click(screen.getByRole('button', { name: /Columns/ }));
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Column for “Item”' }).value).toBe('tag');
  });
});

describe('check', () => {
  it('[IMP-07] says so in the words of the specification, and returns the workbook with its errors', async () => {
    const server = buildServer(buildPresent()).on('POST /api/imports/:batch/error-workbook', {
      status: 200,
      body: { address: '#file', name: 'TAGS_ERROR.xlsx' },
    });
    const { user } = await setup(server);
    expect(await screen.findByText('We Found Errors In the Excel. Please fix the error and re-upload')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Download with errors' }));
    expect(bodies(server.sentTo('POST /api/imports/:batch/error-workbook'))).toEqual([{ language: 'en' }]);
  });

  it('[DAT-04] mends an error in 211 rows by one click', async () => {
    const present = buildPresent();
    const server = buildServer(present).on('POST /api/imports/:batch/replace', () => {
      Object.assign(present, { value: { ...isFree, version: 2 }, rows: [buildRow()], problems: [] });
      return { status: 200, body: { rows: 211 } };
    });
    const { user } = await setup(server);
    const problem = await screen.findByRole('grid', { name: 'Problems' });
    expect(await within(problem).findByText('MD-7 not found in decks')).toBeDefined();
    await user.click(within(problem).getByRole('button', { name: 'Use MD-1 for 211 rows' }));
    expect(bodies(server.sentTo('POST /api/imports/:batch/replace'))).toEqual([
      { sheet: 'tags', column: 'deck', from: 'MD-7', to: 'MD-1' },
    ]);
    await waitFor(() => expect(presentStep()).toBe('4Preview'));
  });

  it('replaces only the wrong element of a list, and takes another value that is typed', async () => {
    const kind = buildKind();
    const [sheet] = kind.sheets;
    const listKind = buildKind({ sheets: [{ ...sheet!, columns: [buildColumn('deck', { type: 'LIST' })] }] });
    const server = buildServer(
      buildPresent({ problems: [buildProblem({ value: ['MD-2', 'MD-7'], rows: 3 })] }),
      listKind,
    ).on('POST /api/imports/:batch/replace', { status: 200, body: { rows: 3 } });
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Use MD-1 for 3 rows' }));
    expect(await screen.findByText('3 rows were changed and checked again')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Other value…' }));
    await user.keyboard('MD-3; MD-4{Enter}');
    await waitFor(() =>
      expect(
        bodies(server.sentTo('POST /api/imports/:batch/replace')).map((body) => (body as { to: unknown }).to),
      ).toEqual([
        ['MD-2', 'MD-1'],
        ['MD-3', 'MD-4'],
      ]),
    );
  });

  it('shows the rows of a problem', async () => {
    const server = buildServer(buildPresent());
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Show rows' }));
    await waitFor(() => {
      const query = server.sentTo('GET /api/imports/:batch/rows').at(-1)!.query;
      expect([query.get('severity'), query.get('find'), query.get('sheet')]).toEqual(['ERROR', 'MD-7', 'tags']);
    });
  });
});

describe('rows', () => {
  it('shows the message below the red cell, in the language of the reader', async () => {
    await setup(buildServer(buildPresent()), '', 'fr');
    const cell = await (await findRows()).findByRole('gridcell', { name: /^MD-7/ });
    expect(cell.getAttribute('aria-invalid')).toBe('true');
    expect(cell.textContent).toBe('MD-7MD-7 introuvable dans ponts');
  });

  it('[DAT-04] shows what a changed value replaces', async () => {
    await setup(buildServer(buildPresent({ value: isFree, rows: [changed], problems: [] })));
    expect((await screen.findByRole('gridcell', { name: /Relief/ })).textContent).toBe('Blowdown → Relief');
  });

  it('[DAT-04] corrects a cell by keyboard: Enter edits and saves, Escape keeps, Tab moves on', async () => {
    const present = buildPresent();
    const server = buildServer(present).on('PATCH /api/imports/:batch/rows/:row', () => ({
      status: 200,
      body: failing,
    }));
    const { user } = await setup(server);
    await user.click(await screen.findByRole('gridcell', { name: 'PI-2103' }));
    await user.keyboard('{ArrowRight}{Enter}');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Value of Deck' }).value).toBe('MD-7');
    await user.keyboard('XX{Escape}');
    expect(server.sentTo('PATCH /api/imports/:batch/rows/:row')).toEqual([]);
    await user.keyboard('{Enter}MD-1{Tab}');
    await waitFor(() =>
      expect(bodies(server.sentTo('PATCH /api/imports/:batch/rows/:row'))).toEqual([{ column: 'deck', value: 'MD-1' }]),
    );
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-colindex')).toBe('4'));
    await user.keyboard('R');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Value of Service' }).value).toBe('R');
  });

  it('keeps what was typed if the server refuses it, and edits by a button for touch', async () => {
    const server = buildServer(buildPresent()).on('PATCH /api/imports/:batch/rows/:row', {
      status: 409,
      body: {
        code: 'E005',
        message: 'No.',
        refusal: { message: 'imports.refused.wrongPhase' },
        reference: 'r',
      },
    });
    const { user } = await setup(server);
    await user.click(await (await findRows()).findByRole('gridcell', { name: /^MD-7/ }));
    await user.click(
      within(screen.getByRole('region', { name: 'Selected cell' })).getByRole('button', { name: 'Edit' }),
    );
    await user.keyboard('MD-1{Enter}');
    expect(await screen.findByText('This is not possible at this step of the import.')).toBeDefined();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Value of Deck' }).value).toBe('MD-1');
  });

  it('renders only the columns and rows in sight of a wide and long sheet, and loads pages on demand', async () => {
    const columns = Array.from({ length: 200 }, (_, index) => buildColumn(`c${index}`));
    const [sheet] = buildKind().sheets;
    const kind = buildKind({ sheets: [{ ...sheet!, columns }] });
    const values = Object.fromEntries(columns.map(({ id }) => [id, id]));
    const value = buildImport({ sheets: [buildSheet({ rows: 100_000, withErrors: 0, headers: [] })] });
    const server = buildServer(buildPresent({ value, problems: [] }), kind).on(
      'GET /api/imports/:batch/rows',
      ({ query }) => {
        const offset = Number(query.get('offset'));
        const rows = Array.from({ length: 200 }, (_, index) =>
          buildRow({ id: String(offset + index), row: offset + index + 2, values }),
        );
        return { status: 200, body: { total: 100_000, offset, rows } };
      },
    );
    const { user } = await setup(server);
    const grid = await screen.findByRole('grid', { name: 'Rows of sheet Tags' });
    const cells = await within(grid).findAllByRole('gridcell');
    expect([grid.getAttribute('aria-rowcount'), grid.getAttribute('aria-colcount')]).toEqual(['100001', '201']);
    expect(cells.length).toBeLessThan(400);
    await user.click(cells[0]!);
    await user.keyboard('{Control>}{End}{/Control}');
    expect((await within(grid).findAllByText('100001')).length).toBe(1);
    expect(document.activeElement?.getAttribute('aria-colindex')).toBe('201');
    expect(server.sentTo('GET /api/imports/:batch/rows').map(({ query }) => query.get('offset'))).toEqual([
      '0',
      '99800',
    ]);
  });
});

describe('preview and import', () => {
  it('keeps Import off until there are no errors, and says why', async () => {
    await setup(buildServer(buildPresent()), '?step=preview');
    const button = await screen.findByRole('button', { name: 'Import' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByText('Import is off until there are 0 errors; now 1 row has errors.')).toBeDefined();
  });

  it('[IMP-03] cautions to take a backup and that all are logged out, and names the rows that go', async () => {
    const value = buildImport({ mode: 'REPLACE', sheets: [buildSheet({ withErrors: 0, removed: 2 })] });
    const gone = buildRow({ id: '9', row: null, state: 'REMOVED', values: {}, before: { tag: 'V-1999' } });
    const server = buildServer(buildPresent({ value, rows: [gone], problems: [] })).on(
      'POST /api/imports/:batch/apply',
      {
        status: 200,
        body: buildImport({ phase: 'APPLYING' }),
      },
    );
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Import' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/^Take a database backup\. All users will be logged out/)).toBeDefined();
    const go = dialog.getByRole<HTMLButtonElement>('button', { name: 'Import' });
    expect(go.disabled).toBe(true);
    await user.click(dialog.getByRole('radio', { name: /^Back up now/ }));
    await user.click(dialog.getByRole('checkbox', { name: 'Remove 2 rows that are not in the file' }));
    expect(await dialog.findByText('V-1999')).toBeDefined();
    await user.click(go);
    expect(bodies(server.sentTo('POST /api/imports/:batch/apply'))).toEqual([
      { version: 1, remove: true, backup: true },
    ]);
    await waitFor(() => expect(presentStep()).toBe('5Done'));
    expect(screen.queryByRole('button', { name: 'Cancel the import' })).toBeNull();
  });

  it('shows the present state if another admin changed the import meanwhile', async () => {
    const present = buildPresent({ value: isFree, rows: [], problems: [] });
    const server = buildServer(present).on('POST /api/imports/:batch/apply', () => {
      present.value = buildImport({ version: 3 });
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
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Import' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('radio', { name: 'I have a backup' }));
    await user.click(dialog.getByRole('button', { name: 'Import' }));
    expect(await screen.findByText('The import was changed in the meantime. Please check it again.')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(presentStep()).toBe('3Check');
  });

  it('names rows that were edited since the preview', async () => {
    const refusal = { message: 'imports.refused.rowsChanged', values: { count: 2, name: 'V-2101' } };
    await setup(buildServer(buildPresent({ value: { ...isFree, refusal } })));
    expect(await screen.findByText(/^2 row\(s\) were changed since the preview, among them “V-2101”/)).toBeDefined();
    expect(presentStep()).toBe('4Preview');
  });
});

describe('result', () => {
  const done = { phase: 'DONE', status: 'COMPLETED', finishedAt: '2026-11-20T09:05:00.000Z' } as const;

  it('[IMP-02] tells the result with its counts, and offers to undo it', async () => {
    const value = buildImport({ ...done, result: 'WARNING', change: 'c1', backup: true });
    await setup(buildServer(buildPresent({ value })));
    expect(await screen.findByText('The rows were imported, with warnings.')).toBeDefined();
    expect(screen.getByText('Warning')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Undo' })).toBeDefined();
  });

  it('tells why an import failed, and that nothing was written', async () => {
    const refusal = { message: 'imports.refused.noRows' };
    await setup(buildServer(buildPresent({ value: buildImport({ ...done, result: 'FAILED', refusal }) })));
    expect(await screen.findByText('The file has no rows.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });
});
