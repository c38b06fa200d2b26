import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pretendSize } from '#core/testing/web';
import type { ImportProblem } from '../../contract/api.ts';
import { buildColumn, buildImport, buildKind, buildProblem, buildRow, buildSheet } from '../../testing/web.ts';
import {
  buildServer,
  buildServerState,
  changedRow,
  currentStep,
  failingRow,
  findRowGrid,
  importWithoutErrors,
  renderWorkbench,
  toBodies,
} from '../../testing/web/render-workbench.tsx';

let restoreSizes: () => void;
beforeEach(() => {
  restoreSizes = pretendSize(1000, 480);
});
afterEach(() => restoreSizes());

/** The live region of the offer to change the cells that name a corrected code. It has no buttons. */
const findOffer = () => {
  const statuses = screen.getAllByRole('status').filter(({ tagName }) => tagName === 'SPAN');
  expect(statuses.map((status) => within(status).queryAllByRole('button'))).toEqual([[]]);
  return statuses[0]!;
};

describe('check', () => {
  it('shows the words that are read as chosen before, and reads them as written on request', async () => {
    const replacedWords = [{ column: 'service', written: 'kühlen', value: 'Cooling', cells: 2 }];
    const value = buildImport({ sheets: [buildSheet({ replacedWords })] });
    const server = buildServer(buildServerState({ value })).on('POST /api/imports/:batch/forget-word', {
      status: 200,
      body: { ...value, phase: 'CHECKING', sheets: [buildSheet()] },
    });
    const { user } = await renderWorkbench(server);
    const note = await screen.findByText(
      /Tags: “kühlen” is read as Cooling in 2 cells of Service, as you or somebody else chose it before\./,
    );
    await user.click(within(note).getByRole('button', { name: 'Read as written from now on: “kühlen” in Service' }));
    expect(toBodies(server.sentTo('POST /api/imports/:batch/forget-word'))).toEqual([
      { sheet: 'tags', column: 'service', written: 'kühlen' },
    ]);
    await waitFor(() => expect(screen.queryByText(/kühlen/)).toBeNull());
    expect(document.activeElement).not.toBe(document.body);
  });

  it('[IMP-07] reports errors in the words of the specification, and returns the workbook with its errors', async () => {
    const server = buildServer(buildServerState()).on('POST /api/imports/:batch/error-workbook', {
      status: 200,
      body: { address: '#file', name: 'TAGS_ERROR.xlsx' },
    });
    const { user } = await renderWorkbench(server);
    expect(await screen.findByText('We Found Errors In the Excel. Please fix the error and re-upload')).toBeDefined();
    const button = screen.getByRole('button', { name: 'Download with errors' });
    expect(button.getAttribute('aria-describedby')).toBeNull();
    expect(screen.queryByText(/without the corrections/)).toBeNull();
    await user.click(button);
    expect(toBodies(server.sentTo('POST /api/imports/:batch/error-workbook'))).toEqual([{ language: 'en' }]);
  });

  it('says beside the download that the workbook with errors lacks the corrections, if there are any', async () => {
    const correctedImport = buildImport({ sheets: [buildSheet({ correctedCells: 2, leftOut: 1 })] });
    await renderWorkbench(buildServer(buildServerState({ value: correctedImport })));
    const button = await screen.findByRole('button', { name: 'Download with errors' });
    expect(document.getElementById(button.getAttribute('aria-describedby')!)?.textContent).toBe(
      'The workbook with errors has the values of the file, without the corrections that were made here (2 corrected cells, 1 row left out). Uploading it brings the corrected errors back. Make the corrections in the workbook, too.',
    );
  });

  it('[DAT-04] fixes an error in 211 rows by one click', async () => {
    const serverState = buildServerState();
    const server = buildServer(serverState).on('POST /api/imports/:batch/replace', () => {
      Object.assign(serverState, { value: { ...importWithoutErrors, version: 2 }, rows: [buildRow()], problems: [] });
      return { status: 200, body: { rows: 211 } };
    });
    const { user } = await renderWorkbench(server);
    const problem = await screen.findByRole('grid', { name: 'Problems' });
    expect(await within(problem).findByText('MD-7 not found in decks')).toBeDefined();
    await user.click(within(problem).getByRole('button', { name: 'Use MD-1 for 211 rows' }));
    expect(toBodies(server.sentTo('POST /api/imports/:batch/replace'))).toEqual([
      { sheet: 'tags', column: 'deck', from: 'MD-7', to: 'MD-1' },
    ]);
    expect(await screen.findByText('No errors were found')).toBeDefined();
    expect(currentStep()).toBe('3Check');
    expect(await within(problem).findByText('Done')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Go to the preview' }));
    expect(currentStep()).toBe('4Preview');
  });

  it('asks before it replaces a value by a similar one with another word', async () => {
    const changes = { column: 'service', value: 'Skift Vest', rows: 3, proposals: ['Skift Øst'], misspelt: false };
    const server = buildServer(buildServerState({ problems: [buildProblem(changes)] })).on(
      'POST /api/imports/:batch/replace',
      { status: 200, body: { rows: 3 } },
    );
    const { user } = await renderWorkbench(server);
    const grid = within(await screen.findByRole('grid', { name: 'Problems' }));
    await user.click(await grid.findByRole('button', { name: 'Did you mean Skift Øst?' }));
    expect(grid.queryByRole('button', { name: /^Use/ })).toBeNull();
    expect(server.sentTo('POST /api/imports/:batch/replace')).toEqual([]);
    expect(grid.getByRole<HTMLInputElement>('combobox', { name: 'Value for 3 rows' }).value).toBe('Skift Øst');
    await user.click(grid.getByRole('button', { name: 'Replace in 3 rows' }));
    await waitFor(() =>
      expect(toBodies(server.sentTo('POST /api/imports/:batch/replace'))).toEqual([
        { sheet: 'tags', column: 'service', from: 'Skift Vest', to: 'Skift Øst' },
      ]),
    );
  });

  it('shows codes in plain words, and leaves a row out or empties its cell in place', async () => {
    const [sheet] = buildKind().sheets;
    const stage = buildColumn('stage', {
      type: 'ENUM',
      values: [
        { value: 'ISSUE', label: { en: 'Issue', fr: 'Délivrer' } },
        { value: 'LIVE', label: { en: 'Live', fr: 'En cours' } },
      ],
    });
    const buildStageProblem = (value: string, firstRow: number) =>
      buildProblem({
        column: 'stage',
        finding: { message: 'imports.refused.enum', values: { values: 'ISSUE, LIVE' } },
        value,
        firstRow,
        rows: 1,
        proposals: ['ISSUE'],
      });
    const serverState = buildServerState({ problems: [buildStageProblem('Isue', 2), buildStageProblem('Lve', 3)] });
    const server = buildServer(serverState, buildKind({ sheets: [{ ...sheet!, columns: [stage] }] }))
      .on('POST /api/imports/:batch/left-out', () => {
        const sheets = serverState.value.sheets.map((each) => ({ ...each, leftOut: 3 }));
        Object.assign(serverState, {
          value: { ...serverState.value, sheets, version: 2 },
          problems: [buildStageProblem('Lve', 3)],
        });
        return { status: 200, body: { rows: 1 } };
      })
      .on('POST /api/imports/:batch/replace', { status: 200, body: { rows: 1 } });
    const { user } = await renderWorkbench(server);
    const grid = within(await screen.findByRole('grid', { name: 'Problems' }));
    expect(await grid.findAllByText('Allowed values: Issue, Live')).toHaveLength(2);
    expect(grid.getAllByRole('button', { name: 'Use Issue' })).toHaveLength(2);
    await user.click(grid.getAllByRole('button', { name: 'Leave the row out' })[0]!);
    expect(await screen.findByText(/^1 row was left out, 3 in all\./)).toBeDefined();
    // The content of the step has had the focus, and shows no ring.
    const problemGrid = screen.getByRole('grid', { name: 'Problems' });
    expect(getComputedStyle(problemGrid.closest('[tabindex="-1"]')!).outlineStyle).toBe('none');
    const { finding, value } = buildStageProblem('Isue', 2);
    expect(toBodies(server.sentTo('POST /api/imports/:batch/left-out'))).toEqual([
      { sheet: 'tags', leftOut: true, problem: { column: 'stage', finding, value } },
    ]);
    await waitFor(() => expect(grid.getByRole('row', { name: /Isue/ }).textContent).toContain('Done'));
    expect(grid.getByRole('row', { name: /Isue/ }).getAttribute('aria-rowindex')).toBe('2');
    await user.click(grid.getByRole('button', { name: 'Empty the cell' }));
    await waitFor(() =>
      expect(toBodies(server.sentTo('POST /api/imports/:batch/replace'))).toEqual([
        { sheet: 'tags', column: 'stage', from: 'Lve', to: null },
      ]),
    );
    await user.click(grid.getByRole('button', { name: 'Other value…' }));
    await user.selectOptions(grid.getByRole('combobox', { name: 'Value for 1 row' }), 'Live');
    await user.click(grid.getByRole('button', { name: 'Replace' }));
    await waitFor(() =>
      expect(toBodies(server.sentTo('POST /api/imports/:batch/replace'))[1]).toMatchObject({ to: 'LIVE' }),
    );
  });

  it('offers to change the cells that name a corrected code', async () => {
    const kind = buildKind();
    const [sheet] = kind.sheets;
    const columns = sheet!.columns.map((column) => ({ ...column, named: column.id === 'deck' }));
    const server = buildServer(buildServerState(), buildKind({ sheets: [{ ...sheet!, columns }] }))
      .on('POST /api/imports/:batch/replace', { status: 200, body: { rows: 1 } })
      .on('POST /api/imports/:batch/references', { status: 200, body: { cells: 12 } });
    const { user } = await renderWorkbench(server);
    await user.click(await screen.findByRole('button', { name: 'Use MD-1 for 211 rows' }));
    const change = await screen.findByRole('button', { name: 'Also change 12 cells that name it' });
    expect(findOffer().textContent).toBe('12 other cells name MD-7, which is MD-1 now.');
    await user.click(change);
    const code = { sheet: 'tags', column: 'deck', from: 'MD-7', to: 'MD-1' };
    await waitFor(() =>
      expect(toBodies(server.sentTo('POST /api/imports/:batch/references'))).toEqual([
        { ...code, dryRun: true },
        { ...code, dryRun: false },
      ]),
    );
    await waitFor(() => expect(findOffer().textContent).toBe('12 cells were changed.'));
    expect([change.isConnected, document.activeElement?.textContent]).toEqual([false, '12 cells were changed.']);
  });

  it('uses dashes in all codes with other characters, and in the cells that name them, by one click', async () => {
    const toProblem = (value: string, proposal: string) =>
      buildProblem({
        value,
        rows: 1,
        finding: { message: 'core.validation.specialCharsExceptDash' },
        proposals: [proposal],
      });
    // Two codes that would become the same one are left out.
    const equalCodes = [toProblem('A/1', 'A-1'), toProblem('a.1', 'a-1')];
    const problems = [toProblem('MD/7', 'MD-7'), toProblem('MD.8', 'MD-8'), ...equalCodes, buildProblem()];
    const serverState = buildServerState({ problems });
    const server = buildServer(serverState)
      .on('POST /api/imports/:batch/replace', () => {
        Object.assign(serverState, { value: { ...serverState.value, version: 2 }, problems: problems.slice(2) });
        return { status: 200, body: { rows: 1 } };
      })
      .on('POST /api/imports/:batch/references', { status: 200, body: { cells: 1 } });
    const { user } = await renderWorkbench(server);
    await user.click(
      await screen.findByRole('button', { name: 'Use dashes in all 2 codes, and in the cells that name them' }),
    );
    expect(await screen.findByText('2 rows were changed and checked again')).toBeDefined();
    const codes = [
      { sheet: 'tags', column: 'deck', from: 'MD/7', to: 'MD-7' },
      { sheet: 'tags', column: 'deck', from: 'MD.8', to: 'MD-8' },
    ];
    expect(toBodies(server.sentTo('POST /api/imports/:batch/replace'))).toEqual(codes);
    expect(toBodies(server.sentTo('POST /api/imports/:batch/references'))).toEqual(
      codes.map((code) => ({ ...code, dryRun: false })),
    );
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('row', { name: /A\/1/ })));
  });

  it('moves the focus by keyboard to the next problem, and after the last one to the button that goes on', async () => {
    const problems = ['V-1', 'MD-7', 'MD-8', 'MD-9'].map((value, index) =>
      buildProblem({ value, rows: 1, firstRow: index + 2, finding: { message: 'core.validation.format' } }),
    );
    const serverState = buildServerState({ problems });
    const solve = (...values: readonly string[]) => {
      const remaining = serverState.problems.filter(({ value }) => !values.includes(String(value)));
      const value = remaining.length === 0 ? importWithoutErrors : serverState.value;
      Object.assign(serverState, {
        value: { ...value, version: serverState.value.version + 1 },
        problems: remaining,
      });
      return { status: 200, body: { rows: 1 } };
    };
    const server = buildServer(serverState)
      .on('POST /api/imports/:batch/replace', ({ body }) => solve(String((body as { from: string }).from)))
      .on('POST /api/imports/:batch/left-out', () => solve('MD-9'));
    const { user } = await renderWorkbench(server);
    const grid = within(await screen.findByRole('grid', { name: 'Problems' }));
    await grid.findByRole('row', { name: /MD-9/ });
    const press = (row: RegExp, button: string) => {
      within(grid.getByRole('row', { name: row }))
        .getByRole('button', { name: button })
        .focus();
      return user.keyboard('{Enter}');
    };
    const expectFocus = (row: RegExp) =>
      waitFor(() => expect(document.activeElement).toBe(grid.getByRole('row', { name: row })));
    await press(/MD-7/, 'Use MD-1');
    await expectFocus(/MD-8/);
    await press(/MD-8/, 'Other value…');
    await user.keyboard('MD-2{Enter}');
    await expectFocus(/MD-9/);
    await press(/MD-9/, 'Leave the row out');
    await expectFocus(/V-1/);
    await press(/V-1/, 'Other value…');
    await user.keyboard('MD-2{Enter}');
    const goOn = screen.getByRole('button', { name: 'Go to the preview' });
    await waitFor(() => expect(document.activeElement).toBe(goOn));
  });

  it('updates an offer if its code is corrected again, and offers nothing for a code with an error', async () => {
    const [sheet] = buildKind().sheets;
    const columns = sheet!.columns.map((column) => ({ ...column, named: column.id === 'deck' }));
    const values = { tag: 'PI-2103', deck: 'MD-7', service: null };
    const serverState = buildServerState({ rows: [{ ...failingRow, values }] });
    const server = buildServer(serverState, buildKind({ sheets: [{ ...sheet!, columns }] }))
      .on('PATCH /api/imports/:batch/rows/:row', ({ body }) => {
        const deck = (body as { value: string }).value;
        const row = {
          ...failingRow,
          values: { ...values, deck },
          findings: deck === 'MD-2' ? failingRow.findings : [],
        };
        Object.assign(serverState, {
          value: { ...serverState.value, version: serverState.value.version + 1 },
          rows: [row],
        });
        return { status: 200, body: row };
      })
      .on('POST /api/imports/:batch/references', ({ body }) => {
        const { from } = body as { from: string };
        if (from === 'MD-3') return { status: 503, body: { code: 'E999', message: 'No.', reference: 'r' } };
        return { status: 200, body: { cells: from === 'MD-7' ? 12 : 0 } };
      });
    const { user } = await renderWorkbench(server);
    await user.click(await (await findRowGrid()).findByRole('gridcell', { name: /^MD-7/ }));
    const correct = async (to: string): Promise<void> => {
      await user.keyboard(`{Enter}${to}{Enter}`);
      await (await findRowGrid()).findByRole('gridcell', { name: new RegExp(`^${to}`) });
      await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Value of Deck' })).toBeNull());
    };
    const expectLookUps = (count: number) =>
      waitFor(() => expect(server.sentTo('POST /api/imports/:batch/references')).toHaveLength(count));
    await correct('MD-2');
    await expectLookUps(1);
    expect(findOffer().textContent).toBe('');
    await correct('MD-3');
    await waitFor(() => expect(findOffer().textContent).toBe('12 other cells name MD-7, which is MD-3 now.'));
    await correct('MD-4');
    await expectLookUps(3);
    expect(findOffer().textContent).toBe('12 other cells name MD-7, which is MD-3 now.');
    expect(screen.queryByText('No.')).toBeNull();
  });

  it('replaces only the wrong element of a list, and takes another value that is typed', async () => {
    const kind = buildKind();
    const [sheet] = kind.sheets;
    const listKind = buildKind({ sheets: [{ ...sheet!, columns: [buildColumn('deck', { type: 'LIST' })] }] });
    const server = buildServer(
      buildServerState({ problems: [buildProblem({ value: ['MD-2', 'MD-7'], rows: 3 })] }),
      listKind,
    ).on('POST /api/imports/:batch/replace', { status: 200, body: { rows: 3 } });
    const { user } = await renderWorkbench(server);
    await user.click(await screen.findByRole('button', { name: 'Use MD-1 for 3 rows' }));
    expect(await screen.findByText('3 rows were changed and checked again')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Other value…' }));
    await user.keyboard('MD-3; MD-4{Enter}');
    await waitFor(() =>
      expect(
        toBodies(server.sentTo('POST /api/imports/:batch/replace')).map((body) => (body as { to: unknown }).to),
      ).toEqual([
        ['MD-2', 'MD-1'],
        ['MD-3', 'MD-4'],
      ]),
    );
  });

  it('says what to type as another value: the kind of number, its unit and an example', async () => {
    const [sheet] = buildKind().sheets;
    const header = { en: 'Work Radius (m)', fr: 'Rayon (m)' };
    const columns = [buildColumn('deck', { type: 'NUMBER', header, max: 10 })];
    const finding = { message: 'core.validation.number' };
    const problems = [buildProblem({ value: 'wide', rows: 1, proposals: [], finding })];
    const { user } = await renderWorkbench(
      buildServer(buildServerState({ problems }), buildKind({ sheets: [{ ...sheet!, columns }] })),
    );
    await user.click(await screen.findByRole('button', { name: 'Other value…' }));
    expect(
      screen.getByRole('combobox', {
        name: 'Value for 1 row',
        description: 'Number with a decimal point in m, such as 10',
      }),
    ).toBeDefined();
  });

  it('removes only the wrong element of a list, and says what an emptied cell does', async () => {
    const kind = buildKind();
    const [sheet] = kind.sheets;
    const listKind = buildKind({ sheets: [{ ...sheet!, columns: [buildColumn('deck', { type: 'LIST' })] }] });
    const mandatoryFinding: ImportProblem['finding'] = { message: 'core.validation.mandatoryField' };
    const problems = [
      buildProblem({ value: ['MD-2', 'MD-7'], rows: 1 }),
      buildProblem({ value: ['MD-3', 'MD-4'], rows: 1, finding: mandatoryFinding, firstRow: 59 }),
    ];
    const serverState = buildServerState({ problems });
    const server = buildServer(serverState, listKind).on('POST /api/imports/:batch/replace', () => {
      Object.assign(serverState, {
        value: { ...serverState.value, version: 2 },
        problems: [buildProblem({ value: ['MD-7'], rows: 2 })],
      });
      return { status: 200, body: { rows: 1 } };
    });
    const { user } = await renderWorkbench(server);
    const remove = await screen.findByRole('button', { name: 'Remove MD-7' });
    expect([screen.queryByRole('button', { name: /^Empty/ }), screen.queryByText(/^An empty cell/)]).toEqual([
      null,
      null,
    ]);
    await user.click(remove);
    const empty = await screen.findByRole('button', { name: 'Empty 2 cells' });
    expect(document.getElementById(empty.getAttribute('aria-describedby')!)?.textContent).toMatch(
      /^An empty cell also clears the value/,
    );
    await user.click(empty);
    await waitFor(() =>
      expect(
        toBodies(server.sentTo('POST /api/imports/:batch/replace')).map((body) => (body as { to: unknown }).to),
      ).toEqual([['MD-2'], null]),
    );
  });

  it('says that a value for all rows is no cell of the file', async () => {
    const constants = [{ column: 'deck', value: 'MD-7', by: 'CHOSEN' as const }];
    const value = buildImport({ sheets: [buildSheet({ constants })] });
    await renderWorkbench(buildServer(buildServerState({ value })));
    const table = within(await screen.findByRole('grid', { name: 'Problems' }));
    expect((await table.findByText(/MD-7 · Chosen for all rows in the step Columns/)).tagName).toBe('SPAN');
    expect(screen.getByText('Tags: Deck is MD-7 in all rows, as chosen in the step Columns.').tagName).toBe('LI');
  });

  it('marks problems that are warnings only', async () => {
    const problem = buildProblem({ severity: 'WARNING' });
    await renderWorkbench(buildServer(buildServerState({ problems: [buildProblem(), problem] })));
    const rows = await within(await screen.findByRole('grid', { name: 'Problems' })).findAllByRole('row');
    const isWarning = rows.slice(1).map(({ textContent }) => textContent.includes('warning only, is imported'));
    expect(isWarning).toEqual([false, true]);
  });

  it('shows the rows of a problem', async () => {
    const server = buildServer(buildServerState());
    const { user } = await renderWorkbench(server);
    await user.click(await screen.findByRole('button', { name: 'Show rows' }));
    await waitFor(() => {
      const query = server.sentTo('GET /api/imports/:batch/rows').at(-1)!.query;
      expect([query.get('severity'), query.get('find'), query.get('sheet')]).toEqual(['ERROR', 'MD-7', 'tags']);
    });
  });
});

describe('rows', () => {
  it('shows all rows when the last row of a filter was corrected', async () => {
    const serverState = buildServerState();
    const server = buildServer(serverState).on('POST /api/imports/:batch/replace', () => {
      Object.assign(serverState, { value: { ...importWithoutErrors, version: 2 }, rows: [changedRow], problems: [] });
      return { status: 200, body: { rows: 1 } };
    });
    const { user } = await renderWorkbench(server);
    await user.click(await screen.findByRole('button', { name: 'Show rows' }));
    await waitFor(() => expect(location.search).toContain('find=MD-7'));
    await user.click(screen.getByRole('button', { name: /^Use / }));
    expect(await screen.findByText('No errors were found')).toBeDefined();
    expect(currentStep()).toBe('3Check');
    expect(await (await findRowGrid()).findByRole('gridcell', { name: /Relief/ })).toBeDefined();
    expect(new URLSearchParams(location.search).get('find')).toBeNull();
    const { query } = server.sentTo('GET /api/imports/:batch/rows').at(-1)!;
    expect([query.get('severity'), query.get('find')]).toEqual([null, null]);
  });

  it('offers to show all rows if a search finds none', async () => {
    const serverState = buildServerState({ value: importWithoutErrors, rows: [], problems: [] });
    const { user } = await renderWorkbench(buildServer(serverState), '?show=ADDED&find=PT-9');
    expect(await screen.findByText('No row contains this text')).toBeDefined();
    serverState.rows = [changedRow];
    await user.click(screen.getByRole('button', { name: 'Show all rows' }));
    expect(await screen.findByRole('gridcell', { name: /Relief/ })).toBeDefined();
    expect(location.search).toBe('?show=ALL');
  });

  it('shows the message below the red cell, in the language of the reader', async () => {
    await renderWorkbench(buildServer(buildServerState()), '', 'fr');
    const cell = await (await findRowGrid()).findByRole('gridcell', { name: /^MD-7/ });
    expect(cell.getAttribute('aria-invalid')).toBe('true');
    expect(cell.textContent).toBe('MD-7MD-7 introuvable dans ponts');
  });

  it('[DAT-04] shows what a changed value replaces', async () => {
    await renderWorkbench(
      buildServer(buildServerState({ value: importWithoutErrors, rows: [changedRow], problems: [] })),
    );
    expect((await screen.findByRole('gridcell', { name: /Relief/ })).textContent).toBe('Blowdown → Relief');
  });

  it('[DAT-04] corrects a cell by keyboard: Enter edits and saves, Escape discards the input, Tab moves on', async () => {
    const serverState = buildServerState();
    const server = buildServer(serverState).on('PATCH /api/imports/:batch/rows/:row', () => ({
      status: 200,
      body: failingRow,
    }));
    const { user } = await renderWorkbench(server);
    await user.click(await screen.findByRole('gridcell', { name: 'PI-2103' }));
    await user.keyboard('{ArrowRight}{Enter}');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Value of Deck' }).value).toBe('MD-7');
    await user.keyboard('XX{Escape}');
    expect(server.sentTo('PATCH /api/imports/:batch/rows/:row')).toEqual([]);
    await user.keyboard('{Enter}MD-1{Tab}');
    await waitFor(() =>
      expect(toBodies(server.sentTo('PATCH /api/imports/:batch/rows/:row'))).toEqual([
        { column: 'deck', value: 'MD-1' },
      ]),
    );
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-colindex')).toBe('4'));
    await user.keyboard('R');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Value of Service' }).value).toBe('R');
  });

  it('keeps what was typed if the server refuses it, and edits by a button for touch', async () => {
    const server = buildServer(buildServerState()).on('PATCH /api/imports/:batch/rows/:row', {
      status: 409,
      body: {
        code: 'E005',
        message: 'No.',
        refusal: { message: 'imports.refused.wrongPhase' },
        reference: 'r',
      },
    });
    const { user } = await renderWorkbench(server);
    await user.click(await (await findRowGrid()).findByRole('gridcell', { name: /^MD-7/ }));
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
    const server = buildServer(buildServerState({ value, problems: [] }), kind).on(
      'GET /api/imports/:batch/rows',
      ({ query }) => {
        const offset = Number(query.get('offset'));
        const rows = Array.from({ length: 200 }, (_, index) =>
          buildRow({ id: String(offset + index), row: offset + index + 2, values }),
        );
        return { status: 200, body: { total: 100_000, offset, rows } };
      },
    );
    const { user } = await renderWorkbench(server);
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
