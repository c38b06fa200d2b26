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

const failingRow = buildRow({
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
const changedRow = buildRow({
  id: '3',
  row: 3,
  state: 'CHANGED',
  values: { tag: 'PSV-2104', deck: 'MD-1', service: 'Relief' },
  before: { tag: 'PSV-2104', deck: 'MD-1', service: 'Blowdown' },
  changed: ['service'],
});
const toPage = <T,>(rows: readonly T[]) => ({ status: 200, body: { total: rows.length, offset: 0, rows } });

interface ServerState {
  value: Import;
  rows: readonly ImportRow[];
  problems: readonly ImportProblem[];
}

/** A server that holds one import, which a test changes. */
function buildServer(serverState: ServerState, kind = buildKind()) {
  return new FakeServer()
    .on('GET /api/imports/:batch', () => ({ status: 200, body: serverState.value }))
    .on('GET /api/imports/kinds', { status: 200, body: [kind] })
    .on('GET /api/imports/:batch/rows', () => toPage(serverState.rows))
    .on('GET /api/imports/:batch/problems', () => toPage(serverState.problems))
    .on('GET /api/locations', { status: 200, body: [] });
}
const setup = (server: FakeServer, search = '', language: 'en' | 'fr' = 'en') =>
  renderScreen(<ImportsScreen />, {
    plugins: [importsPlugin],
    server,
    url: `/admin/console/imports/b1${search}`,
    language,
    me: buildMe({ isAdmin: true }),
  });
const buildServerState = (changes: Partial<ServerState> = {}): ServerState => ({
  value: buildImport(),
  rows: [failingRow],
  problems: [buildProblem()],
  ...changes,
});
const importWithoutErrors = buildImport({ sheets: [buildSheet({ withErrors: 0, added: 2, changed: 1 })] });
const findRowGrid = async () =>
  within(await screen.findByRole('grid', { name: /^(Rows of sheet|Lignes de la feuille)/ }));
/** The live region of the offer to change what names a corrected code. It has no buttons. */
const findOffer = () => {
  const statuses = screen.getAllByRole('status').filter(({ tagName }) => tagName === 'SPAN');
  expect(statuses.map((status) => within(status).queryAllByRole('button'))).toEqual([[]]);
  return statuses[0]!;
};
const toBodies = (requests: readonly SentRequest[]) => requests.map(({ body }) => body);
/** The modal layer of a dialog that was just closed may still hide the page. */
const currentStep = () =>
  within(screen.getByRole('navigation', { name: 'Steps of the import', hidden: true }))
    .getAllByRole('button', { hidden: true })
    .find((button) => button.getAttribute('aria-current') === 'step')?.textContent;

describe('steps of an import', () => {
  it('opens the step that needs the person, and others by address, back and forward', async () => {
    const { user } = await setup(buildServer(buildServerState()));
    expect(await screen.findByRole('grid', { name: 'Rows of sheet Tags' })).toBeDefined();
    expect(currentStep()).toBe('3Check');
    await user.click(screen.getByRole('button', { name: /Columns/ }));
    expect([currentStep(), location.search]).toEqual(['2Columns', '?step=columns']);
    history.back();
    await waitFor(() => expect(currentStep()).toBe('3Check'));
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /Done/ }).disabled).toBe(true);
  });

  it('shows the files, and refuses an import that does not exist', async () => {
    const { user } = await setup(buildServer(buildServerState()), '?step=files');
    expect((await screen.findByRole('list', { name: 'Files of this import' })).textContent).toContain('tags-rev4.xlsx');
    const server = buildServer(buildServerState()).on('POST /api/imports/:batch/cancel', {
      status: 200,
      body: buildImport({ phase: 'CANCELLED' }),
    });
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
    const { user } = await setup(server, '?step=files');
    const list = within(await screen.findByRole('list', { name: 'Files of this import' }));
    await user.click(list.getByRole('button', { name: 'Remove tags.xlsx' }));
    await waitFor(() => expect(list.queryByText('tags.xlsx')).toBeNull());
    expect(server.sentTo('DELETE /api/imports/:batch/files').map(({ query }) => query.get('name'))).toEqual([
      'tags.xlsx',
    ]);
    expect(list.queryByRole('button')).toBeNull();
  });

  it('asks as which sheets those of other names are read, with the likeliest preselected', async () => {
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
    const { user } = await setup(server);
    const select = async (name: string) =>
      screen.findByRole<HTMLSelectElement>('combobox', { name: `“${name}” of plant.xlsx is read as` });
    expect([(await select('Kennzeichen')).value, (await select('Hinweise')).value]).toEqual(['tags', '']);
    await user.selectOptions(await select('Hinweise'), 'Tags');
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Read the files this way' });
    expect([button.disabled, screen.getByText(/^Two sheets are read as the same one/).tagName]).toEqual([true, 'P']);
    await user.selectOptions(await select('Hinweise'), '(not imported)');
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

  it('says which sheets are read as it was chosen in an earlier import', async () => {
    const fileSheets = [
      { name: 'Kennzeichen', file: 'plant.xlsx', sheet: 'tags', by: 'REMEMBERED' as const, proposal: null },
    ];
    await setup(buildServer(buildServerState({ value: buildImport({ fileSheets }) })), '?step=check');
    expect((await screen.findByText(/^Sheet “Kennzeichen” of plant.xlsx is read as/)).textContent).toBe(
      'Sheet “Kennzeichen” of plant.xlsx is read as Tags, as it was chosen in an earlier import. It can be changed in the step Columns.',
    );
  });

  it('says which file the workbook with errors replaces', async () => {
    const { user } = await setup(buildServer(buildServerState()), '?step=files');
    await user.upload(await screen.findByTestId('file-input'), new File(['x'], 'tags-rev4_ERROR.xlsx'));
    expect(screen.getByText('tags-rev4_ERROR.xlsx replaces tags-rev4.xlsx.')).toBeDefined();
  });
});

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
    const { user } = await setup(server);
    const missingRegion = within(await screen.findByRole('region', { name: 'Required columns that are missing' }));
    const checkButton = screen.getByRole<HTMLButtonElement>('button', { name: 'Check the rows' });
    expect([checkButton.disabled, currentStep()]).toEqual([true, '2Columns']);
    expect(screen.getByRole('row', { name: /^Deck MD-1/ }).textContent).toContain('chosen last time');
    await user.selectOptions(missingRegion.getByRole('combobox', { name: /^Tag/ }), 'Item');
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
    const { user } = await setup(server);
    const missingRegion = within(await screen.findByRole('region', { name: 'Required columns that are missing' }));
    // Rows cannot be told apart by one value.
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

  it('asks again for a value for all rows that was chosen for an earlier file, and takes it back', async () => {
    const deck = [{ column: 'deck', value: 'MD-1', by: 'REMEMBERED' as const }];
    const headers = [{ header: 'Tag', column: 'tag', by: 'HEADER' as const, examples: [] }];
    const value = buildImport({ phase: 'COLUMNS', sheets: [buildSheet({ headers, constants: deck })] });
    const server = buildServer(buildServerState({ value })).on('PUT /api/imports/:batch/columns', {
      status: 200,
      body: buildImport(),
    });
    const { user } = await setup(server);
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Deck: the same value/ });
    expect([field.value, screen.getByText(/^Chosen for an earlier file/).tagName]).toEqual(['MD-1', 'DIV']);
    await user.click(screen.getByRole('button', { name: 'No value for Deck' }));
    await user.click(screen.getByRole('button', { name: 'Check the rows' }));
    expect(toBodies(server.sentTo('PUT /api/imports/:batch/columns'))).toMatchObject([{ constants: [] }]);
  });

  it('reads a file again with another row of headers and separator', async () => {
    const csv = { ...columnsImport, files: [{ name: 'tags.csv', bytes: 900 }] };
    const server = buildServer(buildServerState({ value: csv })).on('POST /api/imports/:batch/read-again', {
      status: 200,
      body: { ...csv, phase: 'READING', job: 'j-1' },
    });
    const { user } = await setup(server);
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
    const { user } = await setup(server);
    const checkButton = await screen.findByRole<HTMLButtonElement>('button', { name: 'Check the rows' });
    expect([checkButton.disabled, screen.getByText('1 unit is not confirmed').tagName]).toEqual([true, 'P']);
    expect(screen.getByText(/^The header says km, the column is in m: the values are not converted/)).toBeDefined();
    await user.click(screen.getByRole('checkbox', { name: 'Use the values of “Elev (km)” as m' }));
    await user.click(checkButton);
    expect(toBodies(server.sentTo('PUT /api/imports/:batch/columns'))).toMatchObject([
      { headers: [{ header: 'Tag' }, { header: 'Elev (km)', column: 'z', unitConfirmed: true }] },
    ]);
  });

  it('goes on with the sheet that waits, and says what it waits for', async () => {
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
    const { user } = await setup(server);
    expect(await screen.findByRole('tab', { name: /^Tags \(1\)/, selected: true })).toBeDefined();
    expect(screen.getByRole('tab', { name: /^Points \(1\)/, selected: false })).toBeDefined();
    expect(screen.getByText('Sheet Tags waits for you: 1 required column.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Save and show the next sheet' }));
    expect(await screen.findByText('Sheet Points waits for you: 1 unit to confirm.')).toBeDefined();
    expect(screen.getByRole('tab', { name: /^Points \(1\)/, selected: true })).toBeDefined();
  });

  it('counts what a sheet waits for by what is chosen, and goes on with the next sheet, not the first', async () => {
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
    const { user } = await setup(server);
    await user.click(await screen.findByRole('tab', { name: 'B (1)' }));
    expect(screen.getByText('Sheet B waits for you: 1 required column.')).toBeDefined();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Column for “Item”' }), 'Tag *');
    expect(screen.getByRole('tab', { name: 'B', selected: true })).toBeDefined();
    expect(screen.queryByText(/waits for you/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Save and show the next sheet' }));
    expect(await screen.findByRole('tab', { name: 'C (1)', selected: true })).toBeDefined();
  });

  it('keeps a choice that is not sent after a reload', async () => {
    const { user, unmount } = await setup(buildServer(buildServerState({ value: columnsImport })));
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Column for “Item”' }), 'Tag *');
    unmount();
    await setup(buildServer(buildServerState({ value: columnsImport })));
    const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Column for “Item”' });
    expect(select.value).toBe('tag');
  });

  it('keeps a choice that is not sent while the person looks at another step', async () => {
    const { user } = await setup(buildServer(buildServerState({ value: columnsImport })));
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

  it('asks once which number is the day, and names what is not read', async () => {
    const server = buildServer(
      buildServerState({ value: buildDateImport({ DATE: '05/11/2026' }, 'COLUMNS') }),
      dateKind,
    ).on('PUT /api/imports/:batch/columns', { status: 200, body: buildDateImport({ DATE: '05/11/2026' }, 'PREVIEW') });
    const { user } = await setup(server);
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
    const { user } = await setup(server);
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

  it('says in the preview as what dates are read, and why', async () => {
    const value = buildDateImport({ DAY_FIRST: '26/11/2026' }, 'PREVIEW');
    await setup(buildServer(buildServerState({ value }), dateKind), '?step=preview', 'fr');
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
    const page = await setup(server, '', language);
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
    const all = await screen.findByRole('combobox', { name: /are read in/ });
    await user.selectOptions(all, 'international feet');
    await user.click(screen.getByRole('button', { name: 'Choose for each column' }));
    await user.selectOptions(screen.getByRole('combobox', { name: /^Z \(m\) is read in/ }), 'metres');
    await user.click(screen.getByRole('button', { name: 'Check the rows' }));
    expect(sent()).toMatchObject([{ headers: [{}, { unit: 'ft' }, { unit: 'ft' }, { header: 'z', unit: 'm' }] }]);
  });

  it('sends no unit that the header says', async () => {
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
    'says in the preview and at the cell as what lengths are read (%s)',
    async (language) => {
      const row = buildRow({ values: { tag: 'V-1', x: 1200, y: 0, z: 0 } });
      const server = buildServer(
        buildServerState({ value: build('PREVIEW', headersWithUnit), rows: [row], problems: [] }),
        kind,
      );
      const { user } = await setup(server, '?step=preview', language);
      expect((await screen.findByText(notes[language])).tagName).toBe('LI');
      await user.click(await (await findRowGrid()).findByRole('gridcell', { name: '1200' }));
      expect(await screen.findByText(cells[language])).toBeDefined();
    },
  );

  it('says in the result as what lengths were read', async () => {
    const value = { ...build('DONE', headersWithUnit), result: 'SUCCESS' as const };
    await setup(buildServer(buildServerState({ value }), kind), '?step=done');
    expect((await screen.findByText(notes.en)).tagName).toBe('LI');
  });

  it('says nothing of metres at a site in metres', async () => {
    const value = build('PREVIEW', buildHeaders(' (m)', {}));
    await setup(buildServer(buildServerState({ value, problems: [] }), kind), '?step=preview');
    await findRowGrid();
    expect(screen.queryByText(/are read in/)).toBeNull();
  });
});

describe('check', () => {
  it('[IMP-07] says so in the words of the specification, and returns the workbook with its errors', async () => {
    const server = buildServer(buildServerState()).on('POST /api/imports/:batch/error-workbook', {
      status: 200,
      body: { address: '#file', name: 'TAGS_ERROR.xlsx' },
    });
    const { user } = await setup(server);
    expect(await screen.findByText('We Found Errors In the Excel. Please fix the error and re-upload')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Download with errors' }));
    expect(toBodies(server.sentTo('POST /api/imports/:batch/error-workbook'))).toEqual([{ language: 'en' }]);
  });

  it('[DAT-04] fixes an error in 211 rows by one click', async () => {
    const serverState = buildServerState();
    const server = buildServer(serverState).on('POST /api/imports/:batch/replace', () => {
      Object.assign(serverState, { value: { ...importWithoutErrors, version: 2 }, rows: [buildRow()], problems: [] });
      return { status: 200, body: { rows: 211 } };
    });
    const { user } = await setup(server);
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

  it('shows codes in plain words, and leaves a row out or empties its cell in place', async () => {
    const [sheet] = buildKind().sheets;
    const stage = buildColumn('stage', {
      type: 'ENUM',
      values: [
        { value: 'ISSUE', label: { en: 'Issue', fr: 'Délivrer' } },
        { value: 'LIVE', label: { en: 'Live', fr: 'En cours' } },
      ],
    });
    const problem = (value: string, firstRow: number) =>
      buildProblem({
        column: 'stage',
        finding: { message: 'imports.refused.enum', values: { values: 'ISSUE, LIVE' } },
        value,
        firstRow,
        rows: 1,
        proposals: ['ISSUE'],
      });
    const serverState = buildServerState({ problems: [problem('Isue', 2), problem('Lve', 3)] });
    const server = buildServer(serverState, buildKind({ sheets: [{ ...sheet!, columns: [stage] }] }))
      .on('POST /api/imports/:batch/left-out', () => {
        const sheets = serverState.value.sheets.map((each) => ({ ...each, leftOut: 3 }));
        Object.assign(serverState, {
          value: { ...serverState.value, sheets, version: 2 },
          problems: [problem('Lve', 3)],
        });
        return { status: 200, body: { rows: 1 } };
      })
      .on('POST /api/imports/:batch/replace', { status: 200, body: { rows: 1 } });
    const { user } = await setup(server);
    const grid = within(await screen.findByRole('grid', { name: 'Problems' }));
    expect(await grid.findAllByText('Allowed values: Issue, Live')).toHaveLength(2);
    expect(grid.getAllByRole('button', { name: 'Use Issue' })).toHaveLength(2);
    await user.click(grid.getAllByRole('button', { name: 'Leave the row out' })[0]!);
    expect(await screen.findByText(/^1 row was left out, 3 in all\./)).toBeDefined();
    const bar = screen.getByRole('grid', { name: 'Problems' });
    expect(getComputedStyle(bar.closest('[tabindex="-1"]')!).outlineStyle).toBe('none');
    const { finding, value } = problem('Isue', 2);
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
    const { user } = await setup(server);
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
    const server = buildServer(buildServerState({ problems }))
      .on('POST /api/imports/:batch/replace', { status: 200, body: { rows: 1 } })
      .on('POST /api/imports/:batch/references', { status: 200, body: { cells: 1 } });
    const { user } = await setup(server);
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
  });

  it('keeps offers of earlier corrections, which follow the next one, and none for a code with an error', async () => {
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
    const { user } = await setup(server);
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
    const { user } = await setup(server);
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

  it('says what the field for another value wants: the kind of number, its unit and an example', async () => {
    const [sheet] = buildKind().sheets;
    const header = { en: 'Work Radius (m)', fr: 'Rayon (m)' };
    const columns = [buildColumn('deck', { type: 'NUMBER', header, max: 10 })];
    const finding = { message: 'core.validation.number' };
    const problems = [buildProblem({ value: 'wide', rows: 1, proposals: [], finding })];
    const { user } = await setup(
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
    const chars: ImportProblem['finding'] = { message: 'core.validation.mandatoryField' };
    const problems = [
      buildProblem({ value: ['MD-2', 'MD-7'], rows: 1 }),
      buildProblem({ value: ['MD-3', 'MD-4'], rows: 1, finding: chars, firstRow: 59 }),
    ];
    const serverState = buildServerState({ problems });
    const server = buildServer(serverState, listKind).on('POST /api/imports/:batch/replace', () => {
      Object.assign(serverState, {
        value: { ...serverState.value, version: 2 },
        problems: [buildProblem({ value: ['MD-7'], rows: 2 })],
      });
      return { status: 200, body: { rows: 1 } };
    });
    const { user } = await setup(server);
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

  it('says of a value for all rows that it is no cell of the file', async () => {
    const constants = [{ column: 'deck', value: 'MD-7', by: 'CHOSEN' as const }];
    const value = buildImport({ sheets: [buildSheet({ constants })] });
    await setup(buildServer(buildServerState({ value })));
    const table = within(await screen.findByRole('grid', { name: 'Problems' }));
    expect((await table.findByText(/MD-7 · Chosen for all rows in the step Columns/)).tagName).toBe('SPAN');
    expect(screen.getByText('Tags: Deck is MD-7 in all rows, as chosen in the step Columns.').tagName).toBe('LI');
  });

  it('tells a problem that does not stop the import from an error', async () => {
    const problem = buildProblem({ severity: 'WARNING' });
    await setup(buildServer(buildServerState({ problems: [buildProblem(), problem] })));
    const rows = await within(await screen.findByRole('grid', { name: 'Problems' })).findAllByRole('row');
    const isWarning = rows.slice(1).map(({ textContent }) => textContent.includes('warning only, is imported'));
    expect(isWarning).toEqual([false, true]);
  });

  it('shows the rows of a problem', async () => {
    const server = buildServer(buildServerState());
    const { user } = await setup(server);
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
    const { user } = await setup(server);
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

  it('shows all rows by a button where a search finds none', async () => {
    const serverState = buildServerState({ value: importWithoutErrors, rows: [], problems: [] });
    const { user } = await setup(buildServer(serverState), '?show=ADDED&find=PT-9');
    expect(await screen.findByText('No row contains this text')).toBeDefined();
    serverState.rows = [changedRow];
    await user.click(screen.getByRole('button', { name: 'Show all rows' }));
    expect(await screen.findByRole('gridcell', { name: /Relief/ })).toBeDefined();
    expect(location.search).toBe('?show=ALL');
  });

  it('shows the message below the red cell, in the language of the reader', async () => {
    await setup(buildServer(buildServerState()), '', 'fr');
    const cell = await (await findRowGrid()).findByRole('gridcell', { name: /^MD-7/ });
    expect(cell.getAttribute('aria-invalid')).toBe('true');
    expect(cell.textContent).toBe('MD-7MD-7 introuvable dans ponts');
  });

  it('[DAT-04] shows what a changed value replaces', async () => {
    await setup(buildServer(buildServerState({ value: importWithoutErrors, rows: [changedRow], problems: [] })));
    expect((await screen.findByRole('gridcell', { name: /Relief/ })).textContent).toBe('Blowdown → Relief');
  });

  it('[DAT-04] corrects a cell by keyboard: Enter edits and saves, Escape keeps, Tab moves on', async () => {
    const serverState = buildServerState();
    const server = buildServer(serverState).on('PATCH /api/imports/:batch/rows/:row', () => ({
      status: 200,
      body: failingRow,
    }));
    const { user } = await setup(server);
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
    const { user } = await setup(server);
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
    await setup(buildServer(buildServerState()), '?step=preview');
    const button = await screen.findByRole('button', { name: 'Import' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByText('The import can start once no row has errors. Now 1 row has errors.')).toBeDefined();
  });

  it('[IMP-05] imports what changes nothing if another import waits for it, and says that both are cancelled', async () => {
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
    const { user } = await setup(server);
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

  it('[IMP-03] cautions to take a backup and that all are logged out, and names the rows that go', async () => {
    const value = buildImport({ mode: 'REPLACE', sheets: [buildSheet({ withErrors: 0, removed: 2 })] });
    const removedRow = buildRow({ id: '9', row: null, state: 'REMOVED', values: {}, before: { tag: 'V-1999' } });
    const server = buildServer(buildServerState({ value, rows: [removedRow], problems: [] })).on(
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

  it.each([
    { blocksOthers: true, added: 10_000, isWarned: true },
    { blocksOthers: true, added: 9_999, isWarned: false },
    { blocksOthers: false, added: 10_000, isWarned: false },
  ])('warns that changes of others wait for $added rows: $isWarned', async ({ blocksOthers, added, isWarned }) => {
    const value = buildImport({ blocksOthers, sheets: [buildSheet({ withErrors: 0, added, changed: 0 })] });
    const { user } = await setup(buildServer(buildServerState({ value, rows: [], problems: [] })));
    await user.click(await screen.findByRole('button', { name: 'Import' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    const warning = dialog.queryByText(/^While these 10,000 rows are written, others can look at everything/);
    expect(warning !== null).toBe(isWarned);
  });

  it('shows the present state if another admin changed the import meanwhile', async () => {
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
    const { user } = await setup(server);
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
    await setup(buildServer(buildServerState({ value: { ...importWithoutErrors, refusal } })));
    expect(await screen.findByText(/^2 row\(s\) were changed since the preview, among them “V-2101”/)).toBeDefined();
    expect(currentStep()).toBe('4Preview');
  });
});

describe('result', () => {
  const doneState = { phase: 'DONE', status: 'COMPLETED', finishedAt: '2026-11-20T09:05:00.000Z' } as const;

  it('[IMP-02] tells the result with its counts, and offers to undo it', async () => {
    const value = buildImport({ ...doneState, result: 'WARNING', change: 'c1', backup: true });
    await setup(buildServer(buildServerState({ value })));
    expect(await screen.findByText('The rows were imported, with warnings.')).toBeDefined();
    expect(screen.getByText('Warning')).toBeDefined();
    expect(screen.getByText('Backup made by this import').nextElementSibling?.textContent).toBe('Yes');
    expect(screen.getByRole('button', { name: 'Undo' })).toBeDefined();
  });

  it('tells why an import failed, and that nothing was written', async () => {
    const refusal = { message: 'imports.refused.noRows' };
    await setup(buildServer(buildServerState({ value: buildImport({ ...doneState, result: 'FAILED', refusal }) })));
    expect(await screen.findByText('The file has no rows.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });
});
