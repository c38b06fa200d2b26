import { observer } from 'mobx-react-lite';
import { useState, type FormEvent } from 'react';
import type { BodyOf } from '#core';
import { Button, Field, Input, makeStyles, mergeClasses, Select, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useFormatFailure, useText } from '#core/web';
import type { Import, ImportSheetState, readImportAgain } from '../../contract/api.ts';
import { csvSeparators, hasLayout, maxChosenHeaderRow } from '../../contract/index.ts';

const separatorNames = { ',': 'COMMA', ';': 'SEMICOLON', '\t': 'TAB', '|': 'BAR' } as const;

const useStyles = makeStyles({
  summary: { cursor: 'pointer', width: 'fit-content' },
  form: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'end',
    gap: tokens.spacingHorizontalM,
    paddingTop: tokens.spacingVerticalS,
  },
  note: { flexBasis: '100%' },
  failure: { flexBasis: '100%', margin: 0, color: tokens.colorPaletteRedForeground2 },
});

export interface FileLayoutFormProps {
  readonly sheet: Pick<ImportSheetState, 'headerRow' | 'separator'>;
  readonly files: Import['files'];
  readonly disabled: boolean;
  readonly onReadAgain: (layout: Pick<BodyOf<typeof readImportAgain>, 'headerRow' | 'separator'>) => Promise<void>;
}

/** The row of the headers of a sheet, and the separator of a CSV file, if they were not found correctly. */
export const FileLayoutForm = observer(function FileLayoutForm({
  sheet: { headerRow, separator },
  files,
  disabled,
  onReadAgain,
}: FileLayoutFormProps) {
  const t = useText();
  const styles = useStyles();
  const admin = useAdminStyles();
  const formatFailure = useFormatFailure();
  const [rowText, setRowText] = useState(String(headerRow ?? ''));
  const [chosenSeparator, setChosenSeparator] = useState(separator);
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const row = Number(rowText);
  const isRow = Number.isInteger(row) && row >= 1 && row <= maxChosenHeaderRow;
  const isUnchanged = row === headerRow && chosenSeparator === separator;
  const isReadable = files.some(({ name }) => hasLayout(name));
  const hasCsv = files.some(({ name }) => name.toLowerCase().endsWith('.csv'));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isRow || isUnchanged || state.busy) return;
    setState({ busy: true });
    try {
      await onReadAgain({ ...(row === headerRow ? {} : { headerRow: row }), separator: chosenSeparator });
    } catch (failure) {
      setState({ busy: false, failure });
    }
  };
  if (headerRow === null || disabled || !isReadable) return null;
  return (
    <details>
      <summary className={styles.summary}>{t('imports.layout.title', { row: headerRow })}</summary>
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <Field
          label={t('imports.layout.headerRow')}
          {...(isRow
            ? {}
            : {
                validationState: 'error' as const,
                validationMessage: t('imports.layout.wrongRow', { max: maxChosenHeaderRow }),
              })}
        >
          <Input
            type="number"
            min={1}
            max={maxChosenHeaderRow}
            value={rowText}
            onChange={(_, { value }) => setRowText(value)}
          />
        </Field>
        {hasCsv ? (
          <Field label={t('imports.layout.separator')}>
            <Select
              value={chosenSeparator ?? ''}
              onChange={(_, { value }) => setChosenSeparator(csvSeparators.find((each) => each === value) ?? null)}
            >
              <option value="">{t('imports.layout.separator.FOUND')}</option>
              {csvSeparators.map((each) => (
                <option key={each} value={each}>
                  {t(`imports.layout.separator.${separatorNames[each]}`)}
                </option>
              ))}
            </Select>
          </Field>
        ) : null}
        <Button type="submit" disabled={!isRow || isUnchanged || state.busy}>
          {t('imports.layout.readAgain')}
        </Button>
        <p className={mergeClasses(admin.note, styles.note)}>{t('imports.layout.note')}</p>
        {state.failure === undefined ? null : (
          <p role="alert" className={styles.failure}>
            {formatFailure(state.failure)}
          </p>
        )}
      </form>
    </details>
  );
});
