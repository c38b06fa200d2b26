import { observer } from 'mobx-react-lite';
import type { BodyOf, Rule } from '#core';
import { Button, Field, Input, makeStyles, mergeClasses, Select, tokens, useForm } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useFormatFailure, useText } from '#core/web';
import type { Import, ImportSheetState, readImportAgain } from '../../contract/api.ts';
import { csvSeparators, hasHeaderRow, maxChosenHeaderRow } from '../../contract/index.ts';

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

const validHeaderRow: Rule<number> = (row) =>
  Number.isInteger(row) && row >= 1 && row <= maxChosenHeaderRow
    ? undefined
    : { message: 'imports.layout.wrongRow', values: { max: maxChosenHeaderRow } };

export interface FileLayoutFormProps {
  readonly sheet: Pick<ImportSheetState, 'headerRow' | 'separator'>;
  readonly files: Import['files'];
  readonly disabled: boolean;
  readonly onReadAgain: (layout: Pick<BodyOf<typeof readImportAgain>, 'headerRow' | 'separator'>) => Promise<void>;
}

/** Corrects the detected row of the headers of a sheet, and the detected separator of a CSV file. */
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
  const form = useForm({
    // An empty separator stands for the separator that is detected in the file.
    initial: { headerRow: headerRow ?? 1, separator: separator ?? '' },
    rules: { headerRow: [validHeaderRow] },
    send: (formValues) =>
      onReadAgain({
        ...(formValues.headerRow === headerRow ? {} : { headerRow: formValues.headerRow }),
        separator: csvSeparators.find((each) => each === formValues.separator) ?? null,
      }),
  });
  const isReadable = files.some(({ name }) => hasHeaderRow(name));
  const hasCsv = files.some(({ name }) => name.toLowerCase().endsWith('.csv'));
  if (headerRow === null || disabled || !isReadable) return null;
  return (
    <details>
      <summary className={styles.summary}>{t('imports.layout.title', { row: headerRow })}</summary>
      <form className={styles.form} noValidate onSubmit={form.submit}>
        <Field label={t('imports.layout.headerRow')} {...form.field('headerRow')}>
          <Input {...form.number('headerRow')} inputMode="numeric" />
        </Field>
        {hasCsv ? (
          <Field label={t('imports.layout.separator')}>
            <Select {...form.input('separator')}>
              <option value="">{t('imports.layout.separator.FOUND')}</option>
              {csvSeparators.map((each) => (
                <option key={each} value={each}>
                  {t(`imports.layout.separator.${separatorNames[each]}`)}
                </option>
              ))}
            </Select>
          </Field>
        ) : null}
        <Button type="submit" disabled={!form.changed || form.busy}>
          {t('imports.layout.readAgain')}
        </Button>
        <p className={mergeClasses(admin.note, styles.note)}>{t('imports.layout.note')}</p>
        {form.failure === undefined ? null : (
          <p role="alert" className={styles.failure}>
            {formatFailure(form.failure)}
          </p>
        )}
      </form>
    </details>
  );
});
