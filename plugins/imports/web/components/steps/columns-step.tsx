import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import type { LocalizedError } from '#core';
import { Button, makeStyles, MessageBar, MessageBarBody, Tab, TabList, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { ApiError, useFormatFailure, useFormats, useText } from '#core/web';
import { resolveColumnChoice, listMissingColumns } from '../../stores/column-choice.ts';
import { useImportParams } from '../../stores/use-import-params.ts';
import { countOpenQuestions, listOpenQuestions } from '../../stores/list-open-questions.ts';
import { listAddableColumns, listConstants, type ListedConstant } from '../../stores/list-constants.ts';
import { parseTypedValue } from '../../stores/format-value.ts';
import { countCorrections } from '../../stores/import-steps.ts';
import { listLengthColumns } from '../../stores/list-length-columns.ts';
import { listReadings } from '../../stores/list-readings.ts';
import { listUnitMismatches } from '../../stores/list-unit-mismatches.ts';
import { CancelButton } from '../cancel-button.tsx';
import { LengthUnitFields } from '../length-unit-fields.tsx';
import { ConstantFields } from '../constant-fields.tsx';
import { ColumnReadings } from '../column-readings.tsx';
import { ColumnTable } from '../column-table.tsx';
import { DiscardDialog } from '../discard-dialog.tsx';
import { FileLayoutForm } from '../file-layout-form.tsx';
import { FileSheetsForm } from '../file-sheets-form.tsx';
import { FindingList } from '../finding-list.tsx';
import { MissingColumns } from '../missing-columns.tsx';
import { UnreadColumns } from '../unread-columns.tsx';
import type { StepProps } from './step-props.ts';
import { useImportSession } from '../../stores/use-import-session.ts';

/** Messages that the fields of this step show already. */
const columnMessages = ['imports.refused.columnMissing', 'imports.refused.columnUnknown'];

const useStyles = makeStyles({ tabs: { overflowX: 'auto', marginBottom: tokens.spacingVerticalS } });

/** Matches the columns of the file with those of the kind, sheet by sheet. Missing required columns come first. */
export const ColumnsStep = observer(function ColumnsStep({ openImport, currentImport, kind }: StepProps) {
  const t = useText();
  const styles = useAdminStyles();
  const ownStyles = useStyles();
  const params = useImportParams();
  const { drafts } = useImportSession();
  const formatFailure = useFormatFailure();
  const { timeZone } = useFormats(currentImport.site ?? undefined);
  const [state, setState] = useState<{
    readonly busy: boolean;
    readonly failure?: unknown;
    /** The values for all rows that were sent. */
    readonly sent?: readonly ListedConstant[];
  }>({ busy: false });
  const actions = useRef<HTMLDivElement>(null);
  const continueButton = useRef<HTMLButtonElement>(null);
  /** The missing column that was just chosen, by the index of its field, or by its id if it gets one value. */
  const [answer, setAnswer] = useState<{
    readonly index: number;
    readonly isLast: boolean;
    readonly constant?: string;
  }>();
  useEffect(() => {
    if (answer?.isLast) (continueButton.current?.disabled ? actions.current : continueButton.current)?.focus();
  }, [answer]);
  const [pendingReading, setPendingReading] = useState<{
    readonly action: string;
    readonly read: () => Promise<void>;
  }>();
  /** Reads the files again, after a confirmation if corrections would be lost. */
  const askAndRead = async (action: string, read: () => Promise<void>): Promise<void> => {
    const { cells, rows } = countCorrections(currentImport);
    if (cells + rows === 0) await read();
    else setPendingReading({ action, read });
  };
  const sheets = currentImport.sheets.filter(({ present }) => present);
  const sheet =
    sheets.find((each) => each.sheet === params.get('sheet')) ??
    sheets.find((each) => countOpenQuestions(kind, each) > 0) ??
    sheets[0];
  const sheetInfo = kind.sheets.find(({ id }) => id === sheet?.sheet);
  const canChange = currentImport.phase === 'COLUMNS' || currentImport.phase === 'PREVIEW';
  const sheetsForm = canChange ? (
    <FileSheetsForm
      fileSheets={currentImport.fileSheets}
      kind={kind}
      onChoose={(fileSheets) =>
        askAndRead(t('imports.sheets.readAgain'), async () => {
          await openImport.readAgain({ version: currentImport.version, fileSheets: [...fileSheets] });
          params.set({ step: undefined, sheet: undefined }, { push: true });
        })
      }
    />
  ) : null;
  if (sheet === undefined || sheetInfo === undefined)
    return (
      <div className={styles.card}>
        <FindingList currentImport={currentImport} />
        {sheetsForm}
        <div className={styles.actions}>
          <Button appearance="primary" onClick={() => params.set({ step: 'files' }, { push: true })}>
            {t('imports.columns.otherFiles')}
          </Button>
          <CancelButton openImport={openImport} currentImport={currentImport} />
        </div>
      </div>
    );
  const choice = resolveColumnChoice(sheet, drafts.findColumns(currentImport.uid, sheet.sheet));
  const chosenFormats = drafts.findFormats(currentImport.uid, sheet.sheet);
  const readings = listReadings(sheetInfo, sheet, choice, chosenFormats);
  const confirmedUnits = drafts.findConfirmedUnits(currentImport.uid, sheet.sheet);
  const unitMismatches = listUnitMismatches(sheetInfo, sheet, choice, confirmedUnits);
  const lengthUnits = drafts.findLengthUnits(currentImport.uid, sheet.sheet);
  const lengthColumns = listLengthColumns(sheetInfo, sheet, choice, lengthUnits);
  const isUndecided = readings.some(({ format }) => format === null);
  const unconfirmedCount = unitMismatches.filter(({ isConfirmed }) => !isConfirmed).length;
  const constantDraft = drafts.findConstants(currentImport.uid, sheet.sheet);
  const constants = listConstants(sheetInfo, sheet, choice, constantDraft, timeZone);
  const emptyConstantCount = constants.filter(({ text }) => text.trim() === '').length;
  const missingColumns = listMissingColumns(sheetInfo, choice, constants);
  const openQuestions = listOpenQuestions(kind, sheet, drafts.findSheet(currentImport.uid, sheet.sheet));
  const hasAnotherOpenSheet = sheets.some((each) => each !== sheet && countOpenQuestions(kind, each) > 0);
  const chooseColumn = (header: string, column: string | null): void => {
    // A column is read from one header only.
    const entries = Object.entries(choice).map(([each, id]) => [each, id === column ? null : id] as const);
    drafts.setColumns(currentImport.uid, sheet.sheet, { ...Object.fromEntries(entries), [header]: column });
  };
  const chooseConstant = (column: string, text: string | null): void =>
    drafts.setConstants(currentImport.uid, sheet.sheet, { ...constantDraft, [column]: text });
  /** Removes the draft of the sheet, and shows the next sheet or step that needs the person. */
  const leave = (): void => {
    drafts.removeSheet(currentImport.uid, sheet.sheet);
    const { phase, sheets: latestSheets = [] } = openImport.value ?? {};
    const index = latestSheets.findIndex((each) => each.sheet === sheet.sheet);
    const nextSheet =
      phase === 'COLUMNS'
        ? [...latestSheets.slice(index + 1), ...latestSheets.slice(0, index)].find(
            (each) => each.present && countOpenQuestions(kind, each) > 0,
          )
        : undefined;
    params.set({ step: undefined, sheet: nextSheet?.sheet }, { push: true });
  };
  const save = async (): Promise<void> => {
    setState({ busy: true });
    try {
      const headers = sheet.headers.map(({ header }) => {
        // Saving confirms a format that is shown as remembered.
        const { by, format } = readings.find((each) => each.header === header) ?? {};
        // Saving also confirms a unit that is shown as that of the site.
        const lengthColumn = lengthColumns.find((each) => each.header === header);
        return {
          header,
          column: choice[header] ?? null,
          ...(format && by !== 'VALUES' ? { format } : {}),
          ...(lengthColumn && (lengthColumn.isOpen || lengthColumn.by === 'CHOSEN') ? { unit: lengthColumn.unit } : {}),
          ...(unitMismatches.some((each) => each.header === header && each.isConfirmed) ? { unitConfirmed: true } : {}),
        };
      });
      await openImport.chooseColumns({
        sheet: sheet.sheet,
        headers,
        ...(constants.length > 0 || sheet.constants.length > 0
          ? {
              constants: constants.map(({ column, text }) => ({
                column: column.id,
                value: parseTypedValue(text, column.type),
              })),
            }
          : {}),
      });
      leave();
      setState({ busy: false });
    } catch (failure) {
      setState({ busy: false, failure, sent: constants });
    }
  };
  return (
    <div className={styles.card}>
      {sheets.length < 2 ? null : (
        <TabList
          className={ownStyles.tabs}
          selectedValue={sheet.sheet}
          onTabSelect={(_, tab) => {
            // The focus stays on the tab.
            setAnswer(undefined);
            params.set({ step: 'columns', sheet: String(tab.value) });
          }}
        >
          {sheets.map((each) => {
            const count = countOpenQuestions(kind, each, drafts.findSheet(currentImport.uid, each.sheet));
            return (
              <Tab key={each.sheet} value={each.sheet}>
                {kind.sheets.find(({ id }) => id === each.sheet)?.name ?? each.sheet}
                {count > 0 ? ` (${count})` : ''}
              </Tab>
            );
          })}
        </TabList>
      )}
      {canChange && sheets.length > 1 && openQuestions.length > 0 ? (
        <p className={styles.note} role="status">
          {t('imports.columns.waiting', {
            sheet: sheetInfo.name,
            questions: openQuestions
              .map(({ question, count }) => t(`imports.columns.waitsFor.${question}`, { count }))
              .join(', '),
          })}
        </p>
      ) : null}
      {state.failure === undefined ? null : (
        <MessageBar intent="error" layout="multiline">
          <MessageBarBody>{formatFailure(state.failure)}</MessageBarBody>
        </MessageBar>
      )}
      <FindingList currentImport={currentImport} except={columnMessages} />
      {sheetsForm}
      <FileLayoutForm
        key={`${sheet.sheet} ${sheet.headerRow} ${sheet.separator}`}
        sheet={sheet}
        files={currentImport.files}
        disabled={!canChange}
        onReadAgain={(layout) =>
          askAndRead(t('imports.layout.readAgain'), async () => {
            await openImport.readAgain({ sheet: sheet.sheet, version: currentImport.version, ...layout });
            leave();
          })
        }
      />
      <MissingColumns
        sheetInfo={sheetInfo}
        sheet={sheet}
        missingColumns={missingColumns}
        disabled={!canChange}
        focused={answer?.constant === undefined ? answer : undefined}
        onChoose={(header, column) => {
          chooseColumn(header, column);
          const index = missingColumns.findIndex(({ id }) => id === column);
          setAnswer({ index, isLast: missingColumns.length === 1 });
        }}
        onAddConstant={(column) => {
          chooseConstant(column, '');
          setAnswer({ index: 0, isLast: false, constant: column });
        }}
      />
      <ConstantFields
        constants={constants}
        addableColumns={listAddableColumns(sheetInfo, choice, constants).filter(
          (each) => !missingColumns.includes(each),
        )}
        refusals={findRefusals(state.failure, state.sent)}
        disabled={!canChange}
        focusedColumn={answer?.constant}
        onChoose={chooseConstant}
      />
      <ColumnReadings
        readings={readings}
        disabled={!canChange}
        onChoose={(header, format) =>
          drafts.setFormats(currentImport.uid, sheet.sheet, { ...chosenFormats, [header]: format })
        }
      />
      <LengthUnitFields
        key={sheet.sheet}
        lengthColumns={lengthColumns}
        disabled={!canChange}
        onChoose={(headers, unit) =>
          drafts.setLengthUnits(currentImport.uid, sheet.sheet, {
            ...lengthUnits,
            ...Object.fromEntries(headers.map((header) => [header, unit])),
          })
        }
      />
      <UnreadColumns sheetInfo={sheetInfo} sheet={sheet} choice={choice} constants={constants} />
      <ColumnTable
        sheetInfo={sheetInfo}
        sheet={sheet}
        choice={choice}
        unitMismatches={unitMismatches}
        disabled={!canChange}
        onChoose={chooseColumn}
        onConfirm={(header, column) =>
          drafts.setConfirmedUnits(currentImport.uid, sheet.sheet, { ...confirmedUnits, [header]: column })
        }
      />
      {canChange ? (
        <div ref={actions} tabIndex={-1} className={styles.actions}>
          <Button
            ref={(button: HTMLButtonElement | null) => {
              continueButton.current = button;
            }}
            appearance="primary"
            disabled={
              missingColumns.length > 0 || emptyConstantCount > 0 || isUndecided || unconfirmedCount > 0 || state.busy
            }
            onClick={() => void save()}
          >
            {t(hasAnotherOpenSheet ? 'imports.columns.continueSheets' : 'imports.columns.continue')}
          </Button>
          <CancelButton openImport={openImport} currentImport={currentImport} />
          {missingColumns.length > 0 ? (
            <p className={styles.note}>{t('imports.columns.incomplete', { count: missingColumns.length })}</p>
          ) : null}
          {emptyConstantCount > 0 ? (
            <p className={styles.note}>{t('imports.constants.open', { count: emptyConstantCount })}</p>
          ) : null}
          {unconfirmedCount > 0 ? (
            <p className={styles.note}>{t('imports.columns.unitsOpen', { count: unconfirmedCount })}</p>
          ) : null}
        </div>
      ) : null}
      {pendingReading ? (
        <DiscardDialog
          currentImport={currentImport}
          action={pendingReading.action}
          onConfirm={pendingReading.read}
          onClose={() => setPendingReading(undefined)}
        />
      ) : null}
    </div>
  );
});

/** Why the server refused values for all rows, by column id. */
function findRefusals(
  failure: unknown,
  sent: readonly ListedConstant[] = [],
): Readonly<Record<string, LocalizedError>> {
  const fields = failure instanceof ApiError ? (failure.body?.fields ?? []) : [];
  return Object.fromEntries(
    fields.flatMap(({ pointer, ...refusal }) => {
      const [, index] = /^\/constants\/(\d+)\/value$/.exec(pointer) ?? [];
      const constant = index === undefined ? undefined : sent[Number(index)];
      return constant ? [[constant.column.id, refusal] as const] : [];
    }),
  );
}
