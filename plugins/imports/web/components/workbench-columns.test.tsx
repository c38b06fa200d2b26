import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pretendSize } from '#core/testing/web';
import type { Import } from '../../contract/api.ts';
import { buildColumn, buildImport, buildKind, buildRow, buildSheet } from '../../testing/web.ts';
import {
  buildServer,
  buildServerState,
  currentStep,
  findRowGrid,
  renderWorkbench,
  toBodies,
} from '../../testing/web/render-workbench.tsx';

let restoreSizes: () => void;
beforeEach(() => {
  restoreSizes = pretendSize(1000, 480);
});
afterEach(() => restoreSizes());

describe('columns', () => {
  const columnsImport = buildImport({
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
    const server = buildServer(buildServerState({ value: columnsImport })).on('PUT /api/imports/:batch/columns', {
      status: 200,
      body: buildImport(),
    });
    const { user } = await renderWorkbench(server);
    const missingRegion = within(await screen.findByRole('region', { name: 'Required columns that are missing' }));
    const checkButton = screen.getByRole<HTMLButtonElement>('button', { name: 'Check the rows' });
    expect([checkButton.disabled, currentStep()]).toEqual([true, '2Columns']);
    expect(screen.getByRole('row', { name: /^Deck MD-1/ }).textContent).toContain('chosen last time');
    await user.selectOptions(missingRegion.getByRole('combobox', { name: /^Tag/ }), 'Item');
    expect(document.activeElement).toBe(checkButton);
    expect(screen.getByRole('row', { name: /^Item V-2101 · PI-2103/ }).textContent).toContain('chosen');
    await user.click(checkButton);
    expect(toBodies(server.sentTo('PUT /api/imports/:batch/columns'))).toEqual([
      {
        sheet: 'tags',
        headers: [
          { header: 'Item', column: 'tag' },
          { header: 'Deck', column: 'deck' },
        ],
      },
    ]);
    await waitFor(() => expect(currentStep()).toBe('3Check'));
  });

  it('moves the focus from a chosen column to the next missing one, its value for all rows, or what is open', async () => {
    const columns = ['tag', 'deck', 'service'].map((id) => buildColumn(id, { required: true, key: id === 'tag' }));
    const [kindSheet] = buildKind().sheets;
    const sheet = buildSheet({
      headers: [{ header: 'Item', column: null, by: null, examples: ['V-2101'] }],
      missing: ['tag', 'deck', 'service'],
    });
    const { user } = await renderWorkbench(
      buildServer(
        buildServerState({ value: { ...columnsImport, sheets: [sheet] } }),
        buildKind({ sheets: [{ ...kindSheet!, columns }] }),
      ),
    );
    const missingRegion = within(await screen.findByRole('region', { name: 'Required columns that are missing' }));
    const [, secondField, thirdField] = missingRegion.getAllByRole('combobox');
    await user.selectOptions(secondField!, 'The same value for all rows…');
    const valueField = screen.getAllByRole('textbox').find((field) => field === document.activeElement);
    expect(valueField).toBeDefined();
    await user.selectOptions(thirdField!, 'The same value for all rows…');
    expect(screen.getAllByRole('textbox')).toContain(document.activeElement);
    expect(document.activeElement).not.toBe(valueField);
    await user.selectOptions(missingRegion.getAllByRole('combobox')[0]!, 'Item');
    const checkButton = screen.getByRole('button', { name: 'Check the rows' });
    expect(document.activeElement).toBe(checkButton.parentElement);
    expect(document.activeElement?.textContent).toContain('2 values for all rows are empty');
  });

  it('keeps the focus on the tabs of sheets after a value for all rows was chosen', async () => {
    const columns = ['tag', 'deck'].map((id) => buildColumn(id, { required: true, key: id === 'tag' }));
    const [kindSheet] = buildKind().sheets;
    const sheet = buildSheet({ headers: [], missing: ['tag', 'deck'] });
    const { user } = await renderWorkbench(
      buildServer(
        buildServerState({ value: { ...columnsImport, sheets: [sheet, { ...sheet, sheet: 'points' }] } }),
        buildKind({
          sheets: [
            { ...kindSheet!, columns },
            { ...kindSheet!, id: 'points', name: 'Points', columns },
          ],
        }),
      ),
    );
    const missingRegion = within(await screen.findByRole('region', { name: 'Required columns that are missing' }));
    await user.selectOptions(missingRegion.getAllByRole('combobox')[1]!, 'The same value for all rows…');
    await user.click(screen.getByRole('tab', { name: /^Points/ }));
    const firstTab = screen.getByRole('tab', { name: /^Tags/ });
    await user.click(firstTab);
    expect(await screen.findByRole('textbox', { name: /^Deck: the same value/i })).toBeDefined();
    expect(document.activeElement).toBe(firstTab);
  });

  it('gives all rows one value in a column that the file lacks, and shows why the server refuses it', async () => {
    const server = buildServer(buildServerState({ value: columnsImport })).on(
      'PUT /api/imports/:batch/columns',
      ({ body }) => {
        const { constants } = body as { readonly constants: readonly { readonly value: string }[] };
        return constants[0]?.value === 'V-2101'
          ? { status: 200, body: buildImport() }
          : {
              status: 400,
              body: {
                code: 'E001',
                message: 'Refused.',
                fields: [{ pointer: '/constants/0/value', message: 'core.validation.maxLength', values: { max: 80 } }],
              },
            };
      },
    );
    const { user } = await renderWorkbench(server);
    const missingRegion = within(await screen.findByRole('region', { name: 'Required columns that are missing' }));
    // A key column cannot have one value for all rows.
    expect(missingRegion.queryByRole('option', { name: 'The same value for all rows…' })).toBeNull();
    await user.selectOptions(missingRegion.getByRole('combobox', { name: /^Tag/ }), 'Item');
    await user.selectOptions(
      screen.getByRole('combobox', { name: 'The same value for all rows in another column' }),
      'Service',
    );
    const checkButton = screen.getByRole<HTMLButtonElement>('button', { name: 'Check the rows' });
    expect([checkButton.disabled, screen.getByText('1 value for all rows is empty').tagName]).toEqual([true, 'P']);
    const field = screen.getByRole('textbox', { name: /^Service: the same value for all rows/ });
    await user.type(field, 'X');
    await user.click(checkButton);
    expect(await screen.findByText(/^Max length 80 chars/)).toBeDefined();
    await user.clear(field);
    await user.type(field, 'V-2101');
    await user.click(checkButton);
    await waitFor(() => expect(currentStep()).toBe('3Check'));
    expect(toBodies(server.sentTo('PUT /api/imports/:batch/columns')).at(-1)).toMatchObject({
      constants: [{ column: 'service', value: 'V-2101' }],
    });
  });

  it('asks again for a value for all rows that was chosen for an earlier file, and lets the person remove it', async () => {
    const deck = [{ column: 'deck', value: 'MD-1', by: 'REMEMBERED' as const }];
    const headers = [{ header: 'Tag', column: 'tag', by: 'HEADER' as const, examples: [] }];
    const value = buildImport({ phase: 'COLUMNS', sheets: [buildSheet({ headers, constants: deck })] });
    const server = buildServer(buildServerState({ value })).on('PUT /api/imports/:batch/columns', {
      status: 200,
      body: buildImport(),
    });
    const { user } = await renderWorkbench(server);
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Deck: the same value/ });
    expect([field.value, screen.getByText(/^Chosen for an earlier file/).tagName]).toEqual(['MD-1', 'DIV']);
    await user.click(screen.getByRole('button', { name: 'No value for Deck' }));
    await user.click(screen.getByRole('button', { name: 'Check the rows' }));
    expect(toBodies(server.sentTo('PUT /api/imports/:batch/columns'))).toMatchObject([{ constants: [] }]);
  });

  it('asks before another row of headers discards corrections', async () => {
    const value = buildImport({ sheets: [buildSheet({ correctedCells: 2 })] });
    const server = buildServer(buildServerState({ value })).on('POST /api/imports/:batch/read-again', {
      status: 200,
      body: { ...value, phase: 'READING', job: 'j-1' },
    });
    const { user } = await renderWorkbench(server, '?step=columns');
    await user.click(await screen.findByText('The headers are in row 1. Read the file differently…'));
    const row = screen.getByRole('textbox', { name: 'Row of the headers' });
    await user.clear(row);
    await user.type(row, '3');
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Read again' });
    await user.click(button);
    const keepButton = await screen.findByRole('button', { name: 'Keep the corrections' });
    await user.click(keepButton);
    expect([server.sentTo('POST /api/imports/:batch/read-again'), button.disabled]).toEqual([[], false]);
    await user.click(button);
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Discard 2 corrections?' }));
    await user.click(dialog.getByRole('button', { name: 'Read again' }));
    expect(toBodies(server.sentTo('POST /api/imports/:batch/read-again'))).toMatchObject([{ headerRow: 3 }]);
  });

  it('reads a file again with another row of headers and separator', async () => {
    const csv = { ...columnsImport, files: [{ name: 'tags.csv', bytes: 900 }] };
    const server = buildServer(buildServerState({ value: csv })).on('POST /api/imports/:batch/read-again', {
      status: 200,
      body: { ...csv, phase: 'READING', job: 'j-1' },
    });
    const { user } = await renderWorkbench(server);
    await user.click(await screen.findByText('The headers are in row 1. Read the file differently…'));
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Read again' });
    expect(button.disabled).toBe(true);
    const row = screen.getByRole('textbox', { name: 'Row of the headers' });
    await user.clear(row);
    await user.type(row, '51');
    await user.click(button);
    expect(screen.getByText('Enter a row from 1 to 50.')).toBeTruthy();
    expect(document.activeElement).toBe(row);
    await user.clear(row);
    await user.type(row, '4');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Separator of the CSV file' }), 'Semicolon (;)');
    await user.click(button);
    expect(toBodies(server.sentTo('POST /api/imports/:batch/read-again'))).toEqual([
      { sheet: 'tags', version: 1, headerRow: 4, separator: ';' },
    ]);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Read again' })).toBeNull());
  });

  it('goes on only when a person confirms that a unit of the header cannot be converted', async () => {
    const tags = buildKind().sheets[0]!;
    const height = buildColumn('z', { header: { en: 'Z (m)', fr: 'Z (m)' }, type: 'NUMBER' });
    const kind = buildKind({ sheets: [{ ...tags, columns: [...tags.columns, height] }] });
    const headers = [
      { header: 'Tag', column: 'tag', by: 'HEADER' as const, examples: [] },
      { header: 'Elev (km)', column: 'z', by: 'REMEMBERED' as const, examples: ['18.5'] },
    ];
    const value = buildImport({ phase: 'COLUMNS', sheets: [buildSheet({ headers })] });
    const server = buildServer(buildServerState({ value }), kind).on('PUT /api/imports/:batch/columns', {
      status: 200,
      body: buildImport(),
    });
    const { user } = await renderWorkbench(server);
    const checkButton = await screen.findByRole<HTMLButtonElement>('button', { name: 'Check the rows' });
    expect([checkButton.disabled, screen.getByText('1 unit is not confirmed').tagName]).toEqual([true, 'P']);
    expect(screen.getByText(/^The header says km, the column is in m: the values are not converted/)).toBeDefined();
    await user.click(screen.getByRole('checkbox', { name: 'Use the values of “Elev (km)” as m' }));
    await user.click(checkButton);
    expect(toBodies(server.sentTo('PUT /api/imports/:batch/columns'))).toMatchObject([
      { headers: [{ header: 'Tag' }, { header: 'Elev (km)', column: 'z', unitConfirmed: true }] },
    ]);
  });

  it('continues with the next sheet that has open questions, and says which these are', async () => {
    const tags = buildKind().sheets[0]!;
    const height = buildColumn('z', { header: { en: 'Z (m)', fr: 'Z (m)' }, type: 'NUMBER' });
    const kind = buildKind({ sheets: [tags, { ...tags, id: 'points', name: 'Points', columns: [height] }] });
    const buildPoints = (header: string) =>
      buildSheet({ sheet: 'points', headers: [{ header, column: 'z', by: 'SYNONYM', examples: ['18.5'] }] });
    const value = buildImport({
      phase: 'COLUMNS',
      sheets: [buildSheet({ missing: ['tag'] }), buildPoints('Elevation')],
    });
    const next = buildImport({ phase: 'COLUMNS', sheets: [buildSheet(), buildPoints('Elev (km)')] });
    const server = buildServer(buildServerState({ value }), kind);
    server.on('PUT /api/imports/:batch/columns', { status: 200, body: next });
    const { user } = await renderWorkbench(server);
    expect(await screen.findByRole('tab', { name: /^Tags \(1\)/, selected: true })).toBeDefined();
    expect(screen.getByRole('tab', { name: /^Points \(1\)/, selected: false })).toBeDefined();
    expect(screen.getByText('Sheet Tags waits for you: 1 required column.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Save and show the next sheet' }));
    expect(await screen.findByText('Sheet Points waits for you: 1 unit to confirm.')).toBeDefined();
    expect(screen.getByRole('tab', { name: /^Points \(1\)/, selected: true })).toBeDefined();
  });

  it('counts the open questions of a sheet after each choice, and continues with the next sheet, not the first', async () => {
    const tags = buildKind().sheets[0]!;
    const kind = buildKind({ sheets: ['a', 'b', 'c'].map((id) => ({ ...tags, id, name: id.toUpperCase() })) });
    const buildSheets = (...waiting: readonly string[]) =>
      ['a', 'b', 'c'].map((sheet) =>
        waiting.includes(sheet)
          ? buildSheet({ sheet, missing: ['tag'], headers: [{ header: 'Item', column: null, by: null, examples: [] }] })
          : buildSheet({ sheet }),
      );
    const build = (...waiting: readonly string[]) => buildImport({ phase: 'COLUMNS', sheets: buildSheets(...waiting) });
    const server = buildServer(buildServerState({ value: build('a', 'b', 'c') }), kind);
    server.on('PUT /api/imports/:batch/columns', { status: 200, body: build('a', 'c') });
    const { user } = await renderWorkbench(server);
    await user.click(await screen.findByRole('tab', { name: 'B (1)' }));
    expect(screen.getByText('Sheet B waits for you: 1 required column.')).toBeDefined();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Column for “Item”' }), 'Tag *');
    expect(screen.getByRole('tab', { name: 'B', selected: true })).toBeDefined();
    expect(screen.queryByText(/waits for you/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save and show the next sheet' }));
    expect(await screen.findByRole('tab', { name: 'C (1)', selected: true })).toBeDefined();
  });

  it('keeps an unsent choice after a reload', async () => {
    const { user, unmount } = await renderWorkbench(buildServer(buildServerState({ value: columnsImport })));
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Column for “Item”' }), 'Tag *');
    unmount();
    await renderWorkbench(buildServer(buildServerState({ value: columnsImport })));
    const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Column for “Item”' });
    expect(select.value).toBe('tag');
  });

  it('keeps an unsent choice while the person looks at another step', async () => {
    const { user } = await renderWorkbench(buildServer(buildServerState({ value: columnsImport })));
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Column for “Item”' }), 'Tag *');
    await user.click(screen.getByRole('button', { name: /Files/ }));
    await user.click(screen.getByRole('button', { name: /Columns/ }));
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Column for “Item”' }).value).toBe('tag');
  });
});

describe('readings of columns', () => {
  const kind = buildKind();
  const dateKind = buildKind({
    sheets: [{ ...kind.sheets[0]!, columns: [...kind.sheets[0]!.columns, buildColumn('due', { type: 'DATETIME' })] }],
  });
  const buildDateImport = (evidence: Import['sheets'][number]['headers'][number]['evidence'], phase: Import['phase']) =>
    buildImport({
      phase,
      sheets: [
        buildSheet({
          headers: [
            { header: 'Tag', column: 'tag', by: 'HEADER', examples: ['V-2101'] },
            { header: 'Due', column: 'due', by: 'HEADER', examples: [], ...(evidence ? { evidence } : {}) },
            { header: 'Remarks', column: null, by: null, examples: [] },
          ],
        }),
      ],
    });

  it('asks which number of a date is the day, and names the columns that are not read', async () => {
    const server = buildServer(
      buildServerState({ value: buildDateImport({ DATE: '05/11/2026' }, 'COLUMNS') }),
      dateKind,
    ).on('PUT /api/imports/:batch/columns', { status: 200, body: buildDateImport({ DATE: '05/11/2026' }, 'PREVIEW') });
    const { user } = await renderWorkbench(server);
    const choice = await screen.findByRole('combobox', { name: 'due is read as' });
    expect(
      screen.getByText(/^No column of the file is read for: Deck, Service\. .* not read: Remarks\.$/),
    ).toBeDefined();
    const checkButton = screen.getByRole<HTMLButtonElement>('button', { name: 'Check the rows' });
    expect(checkButton.disabled).toBe(true);
    await user.selectOptions(choice, 'day/month/year: 05/11 is 5 November');
    await user.click(checkButton);
    expect(toBodies(server.sentTo('PUT /api/imports/:batch/columns'))).toMatchObject([
      { headers: [{ header: 'Tag' }, { header: 'Due', column: 'due', format: 'DAY_FIRST' }, { column: null }] },
    ]);
  });

  it('lets a person read a column differently from what its values tell', async () => {
    const value = buildDateImport({ DAY_FIRST: '26/11/2026' }, 'COLUMNS');
    const server = buildServer(buildServerState({ value }), dateKind).on('PUT /api/imports/:batch/columns', {
      status: 200,
      body: buildDateImport({ DAY_FIRST: '26/11/2026' }, 'PREVIEW'),
    });
    const { user } = await renderWorkbench(server);
    expect((await screen.findByText(/is read as day\/month\/year/)).tagName).toBe('LI');
    expect(screen.queryByRole('combobox', { name: 'due is read as' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Read due differently' }));
    const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'due is read as' });
    expect([document.activeElement, choice.value]).toEqual([choice, 'DAY_FIRST']);
    await user.selectOptions(choice, 'none of these: I correct each value');
    expect([choice.isConnected, choice.value]).toEqual([true, 'AS_WRITTEN']);
    expect(screen.getByText(/^The column has 26\/11\/2026, which shows day\/month\/year\./)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Check the rows' }));
    expect(toBodies(server.sentTo('PUT /api/imports/:batch/columns'))).toMatchObject([
      { headers: [{ header: 'Tag' }, { header: 'Due', format: 'AS_WRITTEN' }, { column: null }] },
    ]);
  });

  it('says in the preview how dates are read, and why', async () => {
    const value = buildDateImport({ DAY_FIRST: '26/11/2026' }, 'PREVIEW');
    await renderWorkbench(buildServer(buildServerState({ value }), dateKind), '?step=preview', 'fr');
    expect(
      await screen.findByText(/est lu comme jour\/mois\/année, car la colonne contient 26\/11\/2026/),
    ).toBeDefined();
  });
});

describe('units of lengths', () => {
  const tags = buildKind().sheets[0]!;
  const lengthColumns = ['x', 'y', 'z'].map((id) =>
    buildColumn(id, {
      header: { en: `${id.toUpperCase()} (m)`, fr: `${id.toUpperCase()} (m)` },
      type: 'NUMBER',
    }),
  );
  const kind = buildKind({ sheets: [{ ...tags, columns: [...tags.columns, ...lengthColumns] }] });
  type Header = Import['sheets'][number]['headers'][number];
  const buildHeaders = (suffix: string, rest: Partial<Header>): readonly Header[] => [
    { header: 'Tag', column: 'tag', by: 'HEADER', examples: [] },
    ...lengthColumns.map(({ id }): Header => ({
      header: `${id}${suffix}`,
      column: id,
      by: 'HEADER',
      examples: ['3937'],
      ...rest,
    })),
  ];
  const build = (phase: Import['phase'], headers: readonly Header[]) =>
    buildImport({ phase, sheets: [buildSheet({ headers: [...headers], withErrors: 0 })] });
  const setupColumns = async (headers: readonly Header[], language: 'en' | 'fr' = 'en') => {
    const server = buildServer(buildServerState({ value: build('COLUMNS', headers) }), kind).on(
      'PUT /api/imports/:batch/columns',
      { status: 200, body: build('PREVIEW', headers) },
    );
    const page = await renderWorkbench(server, '', language);
    return { ...page, sent: () => toBodies(server.sentTo('PUT /api/imports/:batch/columns')) };
  };

  it('asks once at a site in feet, with its unit preselected, and sends it for each column', async () => {
    const { user, sent } = await setupColumns(buildHeaders('', { siteUnit: 'ftUS' }));
    const choice = await screen.findByRole<HTMLSelectElement>('combobox', {
      name: /^X \(m\), Y \(m\), Z \(m\) are read in/,
    });
    expect(choice.selectedOptions[0]?.textContent).toBe('US survey feet');
    expect(screen.getByText(/^The file does not tell which unit is meant/)).toBeDefined();
    expect(screen.getByText(/corrections and exports are in metres\.$/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Check the rows' }));
    const unit = 'ftUS';
    expect(sent()).toEqual([
      {
        sheet: 'tags',
        headers: [
          { header: 'Tag', column: 'tag' },
          { header: 'x', column: 'x', unit },
          { header: 'y', column: 'y', unit },
          { header: 'z', column: 'z', unit },
        ],
      },
    ]);
  });

  it('lets a person choose another unit for all columns, and for one of them', async () => {
    const { user, sent } = await setupColumns(buildHeaders('', {}));
    const unitChoice = await screen.findByRole('combobox', { name: /are read in/ });
    await user.selectOptions(unitChoice, 'international feet');
    await user.click(screen.getByRole('button', { name: 'Choose for each column' }));
    await user.selectOptions(screen.getByRole('combobox', { name: /^Z \(m\) is read in/ }), 'metres');
    await user.click(screen.getByRole('button', { name: 'Check the rows' }));
    expect(sent()).toMatchObject([{ headers: [{}, { unit: 'ft' }, { unit: 'ft' }, { header: 'z', unit: 'm' }] }]);
  });

  it('sends no unit if the header names it', async () => {
    const { user, sent } = await setupColumns(buildHeaders(' (ft)', {}));
    const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: /are read in/ });
    expect(choice.value).toBe('ft');
    await user.click(screen.getByRole('button', { name: 'Check the rows' }));
    expect(sent()).toMatchObject([{ headers: [{}, { header: 'x (ft)', column: 'x' }, {}, {}] }]);
    expect(JSON.stringify(sent())).not.toContain('unit');
  });

  const notes = {
    en: /^Tags: X \(m\), Y \(m\), Z \(m\) are read in US survey feet, as chosen for this file\. .* in metres\.$/,
    fr: /^Tags : X \(m\), Y \(m\), Z \(m\) sont lus en pieds topographiques US, comme choisi.* en mètres\.$/,
  };
  const cells = {
    en: 'The file is read in US survey feet here. Shown and corrected in metres.',
    fr: 'Ici, le fichier est lu en pieds topographiques US. Affiché et corrigé en mètres.',
  };
  const headersWithUnit = buildHeaders('', { siteUnit: 'ftUS', unit: 'ftUS' });

  it.each(['en', 'fr'] as const)(
    'says in the preview and at the cell in which unit lengths are read (%s)',
    async (language) => {
      const row = buildRow({ values: { tag: 'V-1', x: 1200, y: 0, z: 0 } });
      const server = buildServer(
        buildServerState({ value: build('PREVIEW', headersWithUnit), rows: [row], problems: [] }),
        kind,
      );
      const { user } = await renderWorkbench(server, '?step=preview', language);
      expect((await screen.findByText(notes[language])).tagName).toBe('LI');
      await user.click(await (await findRowGrid()).findByRole('gridcell', { name: '1200' }));
      expect(await screen.findByText(cells[language])).toBeDefined();
    },
  );

  it('says in the result in which unit lengths were read', async () => {
    const value = { ...build('DONE', headersWithUnit), result: 'SUCCESS' as const };
    await renderWorkbench(buildServer(buildServerState({ value }), kind), '?step=done');
    expect((await screen.findByText(notes.en)).tagName).toBe('LI');
  });

  it('says nothing about units at a site in metres', async () => {
    const value = build('PREVIEW', buildHeaders(' (m)', {}));
    await renderWorkbench(buildServer(buildServerState({ value, problems: [] }), kind), '?step=preview');
    await findRowGrid();
    expect(screen.queryByText(/are read in/)).toBeNull();
  });
});
