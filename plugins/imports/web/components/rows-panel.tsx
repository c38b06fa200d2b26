import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useState } from 'react';
import { Button, Field, makeStyles, ResourceView, SearchBox, Select, Tab, TabList, tokens } from '#core/ui';
import { usePagedResource } from '#core/ui-data';
import { HttpClient, useFormats, useService, useText } from '#core/web';
import type { ImportRow, listImportRows } from '../../contract/api.ts';
import { resolveColumnChoice } from '../stores/column-choice.ts';
import { listLengthColumns } from '../stores/list-length-columns.ts';
import { countShownRows, readRowQuery, rowFilters, toRowFilters } from '../stores/row-filter.ts';
import { parseTypedValue } from '../stores/format-value.ts';
import { useReloadOnChange } from '../stores/use-reload-on-change.ts';
import { useImportParams } from '../stores/use-import-params.ts';
import { CellPanel } from './grid/cell-panel.tsx';
import { RowGrid, type ActiveCell } from './grid/row-grid.tsx';
import type { StepProps } from './steps/step-props.ts';

const findDelayMs = 300;

const useStyles = makeStyles({
  root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalS, minWidth: 0 },
  bar: { display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: tokens.spacingHorizontalM },
  tabs: { overflowX: 'auto' },
  choice: { minWidth: '180px' },
  find: { flexGrow: 1, maxWidth: '320px', minWidth: '160px' },
  empty: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    padding: tokens.spacingHorizontalL,
    color: tokens.colorNeutralForeground2,
  },
});

/** The rows of one sheet with their states, filters, and cells that can be corrected. */
export const RowsPanel = observer(function RowsPanel({
  openImport,
  currentImport,
  kind,
  errorsFirst,
}: StepProps & { readonly errorsFirst: boolean }) {
  const t = useText();
  const styles = useStyles();
  const http = useService(HttpClient);
  const params = useImportParams();
  const { timeZone, number } = useFormats(currentImport.site ?? undefined);
  const [activeCell, setActiveCell] = useState<ActiveCell>();
  const query = readRowQuery(params, currentImport, errorsFirst);
  const sheetState = currentImport.sheets.find(({ sheet }) => sheet === query.sheet);
  const sheetInfo = kind.sheets.find(({ id }) => id === query.sheet);
  const sheets = currentImport.sheets.filter(({ present, removed }) => present || removed > 0);
  const { uid, version } = currentImport;
  const { sheet, filter, searchText } = query;
  const rows = usePagedResource(
    ({ offset, limit }, signal) =>
      http.call<typeof listImportRows>(
        'GET',
        '/api/imports/:batch/rows',
        { params: { batch: uid }, query: { sheet, ...toRowFilters({ sheet, filter, searchText }), offset, limit } },
        { signal },
      ),
    [http, uid, sheet, filter, searchText],
    `${uid} ${sheet}`,
  );
  useReloadOnChange(rows, version);
  const headers = sheetState?.headers;
  const constants = sheetState?.constants;
  const columns = useMemo(() => {
    const columnsInFile = new Set([...(headers ?? []), ...(constants ?? [])].map(({ column }) => column));
    const allColumns = sheetInfo?.columns ?? [];
    const shownColumns = allColumns.filter(({ id }) => columnsInFile.has(id));
    return shownColumns.length === 0 ? allColumns : shownColumns;
  }, [sheetInfo, headers, constants]);
  if (sheetState === undefined || sheetInfo === undefined) return null;
  const canEdit = currentImport.phase === 'PREVIEW';
  const save = async (row: ImportRow, column: string, text: string): Promise<void> => {
    const type = columns.find(({ id }) => id === column)?.type ?? 'TEXT';
    const to = parseTypedValue(text, type);
    await openImport.changeCell(row.id, column, to);
    const from = row.values[column];
    const isReferredTo = columns.find(({ id }) => id === column)?.named === true;
    if (isReferredTo && typeof from === 'string' && from !== '' && typeof to === 'string')
      void openImport.offerRename({ sheet, column, from, to }, row.id);
  };
  return (
    <section className={styles.root} aria-label={t('imports.rows.label')}>
      {sheets.length < 2 ? null : (
        <TabList
          className={styles.tabs}
          selectedValue={sheet}
          onTabSelect={(_, tab) => params.set({ sheet: String(tab.value), show: undefined })}
        >
          {sheets.map((each) => (
            <Tab key={each.sheet} value={each.sheet}>
              {kind.sheets.find(({ id }) => id === each.sheet)?.name ?? each.sheet}
              {each.withErrors > 0 ? ` (${number(each.withErrors)})` : ''}
            </Tab>
          ))}
        </TabList>
      )}
      <div className={styles.bar}>
        <Field label={t('imports.rows.show')} className={styles.choice}>
          <Select value={filter} onChange={(_, { value: chosenFilter }) => params.set({ show: chosenFilter })}>
            {rowFilters.map((each) => (
              <option key={each} value={each}>
                {t(`imports.rows.filter.${each}`, { count: countShownRows(sheetState, each) })}
              </option>
            ))}
          </Select>
        </Field>
        {canEdit && filter === 'LEFT_OUT' && sheetState.leftOut > 0 ? (
          <IncludeAllButton openImport={openImport} sheet={sheet} />
        ) : null}
        <FindField value={searchText} onFind={(text) => params.set({ find: text })} />
      </div>
      <ResourceView resource={rows}>
        {() => (
          <RowGrid
            key={sheet}
            label={t('imports.rows.table', { sheet: sheetInfo.name })}
            rows={rows}
            columns={columns}
            isTall={sheetState.withErrors + sheetState.withWarnings > 0}
            timeZone={timeZone}
            canEdit={canEdit}
            startColumn={params.get('column')}
            onSave={save}
            onActiveCellChange={setActiveCell}
            empty={
              <div className={styles.empty}>
                {t(searchText === '' ? 'imports.rows.none' : 'imports.rows.notFound')}
                {searchText === '' && filter === 'ALL' ? null : (
                  <Button size="small" onClick={() => params.set({ show: 'ALL', find: undefined })}>
                    {t('imports.rows.showAll')}
                  </Button>
                )}
              </div>
            }
          />
        )}
      </ResourceView>
      <CellPanel
        cell={activeCell}
        columns={columns}
        constants={sheetState.constants}
        lengthColumns={listLengthColumns(sheetInfo, sheetState, resolveColumnChoice(sheetState))}
        timeZone={timeZone}
        canEdit={canEdit}
        onLeaveOut={async (row, leftOut) => {
          await openImport.setLeftOut({ sheet, leftOut, row: row.id });
        }}
      />
    </section>
  );
});

/** Includes all rows of a sheet again that were left out. */
function IncludeAllButton({ openImport, sheet }: Pick<StepProps, 'openImport'> & { readonly sheet: string }) {
  const t = useText();
  const [busy, setBusy] = useState(false);
  const includeAll = async (): Promise<void> => {
    setBusy(true);
    try {
      await openImport.setLeftOut({ sheet, leftOut: false });
    } catch (failure) {
      openImport.setFailure(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button disabledFocusable={busy} onClick={() => void includeAll()}>
      {t('imports.rows.takeAllIn')}
    </Button>
  );
}

interface FindFieldProps {
  readonly value: string;
  readonly onFind: (text: string) => void;
}

/** Searches once the person pauses typing, so that not every letter causes a request. */
function FindField({ value, onFind }: FindFieldProps) {
  const t = useText();
  const styles = useStyles();
  const [text, setText] = useState(value);
  const [previousValue, setPreviousValue] = useState(value);
  if (previousValue !== value) {
    setPreviousValue(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onFind(text), findDelayMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- `onFind` is new at each render
  }, [text, value]);
  return (
    <Field label={t('imports.rows.find')} className={styles.find}>
      <SearchBox value={text} onChange={(_, data) => setText(data.value)} />
    </Field>
  );
}
