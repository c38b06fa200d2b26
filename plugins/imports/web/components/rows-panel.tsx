import { observer } from 'mobx-react-lite';
import { useEffect, useMemo, useState } from 'react';
import { Button, Field, makeStyles, ResourceView, SearchBox, Select, Tab, TabList, tokens } from '#core/ui';
import { usePagedResource } from '#core/ui-data';
import { HttpClient, useFormats, useService, useText } from '#core/web';
import type { ImportRow, listImportRows } from '../../contract/api.ts';
import { readColumns } from '../stores/column-choice.ts';
import { listLengthColumns } from '../stores/list-length-columns.ts';
import { countShown, readRowQuery, rowFilters, toRowFilters } from '../stores/row-filter.ts';
import { parseTyped } from '../stores/format-value.ts';
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
  value,
  kind,
  errorsFirst,
}: StepProps & { readonly errorsFirst: boolean }) {
  const t = useText();
  const styles = useStyles();
  const http = useService(HttpClient);
  const params = useImportParams();
  const { timeZone, number } = useFormats(value.site ?? undefined);
  const [cell, setCell] = useState<ActiveCell>();
  const query = readRowQuery(params, value, errorsFirst);
  const state = value.sheets.find(({ sheet }) => sheet === query.sheet);
  const info = kind.sheets.find(({ id }) => id === query.sheet);
  const sheets = value.sheets.filter(({ present, removed }) => present || removed > 0);
  const { uid, version } = value;
  const { sheet, show, find } = query;
  const rows = usePagedResource(
    ({ offset, limit }, signal) =>
      http.call<typeof listImportRows>(
        'GET',
        '/api/imports/:batch/rows',
        { params: { batch: uid }, query: { sheet, ...toRowFilters({ sheet, show, find }), offset, limit } },
        { signal },
      ),
    [http, uid, sheet, show, find],
    `${uid} ${sheet}`,
  );
  useReloadOnChange(rows, version);
  const headers = state?.headers;
  const constants = state?.constants;
  const columns = useMemo(() => {
    const inFile = new Set([...(headers ?? []), ...(constants ?? [])].map(({ column }) => column));
    const all = info?.columns ?? [];
    const shownColumns = all.filter(({ id }) => inFile.has(id));
    return shownColumns.length === 0 ? all : shownColumns;
  }, [info, headers, constants]);
  if (state === undefined || info === undefined) return null;
  const canEdit = value.phase === 'PREVIEW';
  const save = async (row: ImportRow, column: string, text: string): Promise<void> => {
    const type = columns.find(({ id }) => id === column)?.type ?? 'TEXT';
    const to = parseTyped(text, type);
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
          <Select value={show} onChange={(_, { value: chosenFilter }) => params.set({ show: chosenFilter })}>
            {rowFilters.map((filter) => (
              <option key={filter} value={filter}>
                {t(`imports.rows.filter.${filter}`, { count: countShown(state, filter) })}
              </option>
            ))}
          </Select>
        </Field>
        {canEdit && show === 'LEFT_OUT' && state.leftOut > 0 ? (
          <IncludeAllButton openImport={openImport} sheet={sheet} />
        ) : null}
        <FindField value={find} onFind={(text) => params.set({ find: text })} />
      </div>
      <ResourceView resource={rows}>
        {() => (
          <RowGrid
            key={sheet}
            label={t('imports.rows.table', { sheet: info.name })}
            rows={rows}
            columns={columns}
            isTall={state.withErrors + state.withWarnings > 0}
            timeZone={timeZone}
            canEdit={canEdit}
            startColumn={params.get('column')}
            onSave={save}
            onActive={setCell}
            empty={
              <div className={styles.empty}>
                {t(find === '' ? 'imports.rows.none' : 'imports.rows.notFound')}
                {find === '' && show === 'ALL' ? null : (
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
        cell={cell}
        columns={columns}
        constants={state.constants}
        lengthColumns={listLengthColumns(info, state, readColumns(state))}
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

/** Searches when the person pauses, so that not each letter is a request. */
function FindField({ value, onFind }: FindFieldProps) {
  const t = useText();
  const styles = useStyles();
  const [text, setText] = useState(value);
  const [given, setGiven] = useState(value);
  if (given !== value) {
    setGiven(value);
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
