import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, makeStyles, MessageBar, MessageBarBody, Tab, TabList, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useFormatFailure, useText } from '#core/web';
import { readColumns, listMissing } from '../../stores/column-choice.ts';
import { useImportParams } from '../../stores/use-import-params.ts';
import { CancelButton } from '../cancel-button.tsx';
import { ColumnTable } from '../column-table.tsx';
import { FindingList } from '../finding-list.tsx';
import { MissingColumns } from '../missing-columns.tsx';
import type { StepProps } from './step-props.ts';
import { useImportSession } from '../../stores/use-import-session.ts';

/** The fields below say the same. */
const columnMessages = ['imports.refused.columnMissing', 'imports.refused.columnUnknown'];

const useStyles = makeStyles({ tabs: { overflowX: 'auto', marginBottom: tokens.spacingVerticalS } });

/** Chooses which column of the file is which column of the kind, sheet by sheet; required ones that lack come first. */
export const ColumnsStep = observer(function ColumnsStep({ open, value, kind }: StepProps) {
  const t = useText();
  const styles = useAdminStyles();
  const own = useStyles();
  const params = useImportParams();
  const { drafts } = useImportSession();
  const formatFailure = useFormatFailure();
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const sheets = value.sheets.filter(({ present }) => present);
  const sheet =
    sheets.find((each) => each.sheet === params.get('sheet')) ??
    sheets.find(({ missing }) => missing.length > 0) ??
    sheets[0];
  const info = kind.sheets.find(({ id }) => id === sheet?.sheet);
  if (sheet === undefined || info === undefined)
    return (
      <div className={styles.card}>
        <FindingList value={value} />
        <div className={styles.actions}>
          <Button appearance="primary" onClick={() => params.set({ step: 'files' }, { push: true })}>
            {t('imports.columns.otherFiles')}
          </Button>
          <CancelButton open={open} value={value} />
        </div>
      </div>
    );
  const choice = readColumns(sheet, drafts.findColumns(value.uid, sheet.sheet));
  const missing = listMissing(info, choice);
  const canChange = value.phase === 'COLUMNS' || value.phase === 'PREVIEW';
  const choose = (header: string, column: string | null): void => {
    const others = Object.entries(choice).map(([each, id]) => [each, id === column ? null : id] as const);
    drafts.setColumns(value.uid, sheet.sheet, { ...Object.fromEntries(others), [header]: column });
  };
  const save = async (): Promise<void> => {
    setState({ busy: true });
    try {
      const headers = sheet.headers.map(({ header }) => ({ header, column: choice[header] ?? null }));
      await open.chooseColumns({ sheet: sheet.sheet, headers });
      drafts.setColumns(value.uid, sheet.sheet, undefined);
      params.set({ step: undefined, sheet: undefined }, { push: true });
      setState({ busy: false });
    } catch (failure) {
      setState({ busy: false, failure });
    }
  };
  return (
    <div className={styles.card}>
      {sheets.length < 2 ? null : (
        <TabList
          className={own.tabs}
          selectedValue={sheet.sheet}
          onTabSelect={(_, tab) => params.set({ step: 'columns', sheet: String(tab.value) })}
        >
          {sheets.map((each) => (
            <Tab key={each.sheet} value={each.sheet}>
              {kind.sheets.find(({ id }) => id === each.sheet)?.name ?? each.sheet}
              {each.missing.length > 0 ? ` (${each.missing.length})` : ''}
            </Tab>
          ))}
        </TabList>
      )}
      {state.failure === undefined ? null : (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{formatFailure(state.failure)}</MessageBarBody>
        </MessageBar>
      )}
      <FindingList value={value} except={columnMessages} />
      <MissingColumns info={info} sheet={sheet} missing={missing} disabled={!canChange} onChoose={choose} />
      <ColumnTable info={info} sheet={sheet} choice={choice} disabled={!canChange} onChoose={choose} />
      {canChange ? (
        <div className={styles.actions}>
          <Button appearance="primary" disabled={missing.length > 0 || state.busy} onClick={() => void save()}>
            {t('imports.columns.continue')}
          </Button>
          <CancelButton open={open} value={value} />
          {missing.length > 0 ? (
            <p className={styles.note}>{t('imports.columns.incomplete', { count: missing.length })}</p>
          ) : null}
        </div>
      ) : null}
    </div>
  );
});
