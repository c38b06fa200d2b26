import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, Field, makeStyles, Select, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useFormatFailure, useText } from '#core/web';
import type { Import, ImportKindInfo } from '../../contract/api.ts';

const useStyles = makeStyles({
  summary: { cursor: 'pointer', width: 'fit-content' },
  form: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: tokens.spacingVerticalS,
    justifyItems: 'start',
    paddingTop: tokens.spacingVerticalS,
  },
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(280px, 100%), 1fr))',
    gap: tokens.spacingHorizontalM,
    alignItems: 'end',
    width: '100%',
  },
  field: { minWidth: 0, overflowWrap: 'anywhere' },
  select: { width: '100%', minWidth: 0 },
  failure: { margin: 0, color: tokens.colorPaletteRedForeground2 },
});

const hints = {
  NONE: 'imports.sheets.undecided',
  NAME: 'imports.sheets.chosen',
  CHOSEN: 'imports.sheets.chosen',
  REMEMBERED: 'imports.sheets.remembered',
} as const;

export interface FileSheetsFormProps {
  readonly fileSheets: Import['fileSheets'];
  readonly kind: ImportKindInfo;
  /** Reads the files again. */
  readonly onChoose: (fileSheets: readonly { readonly name: string; readonly sheet: string | null }[]) => Promise<void>;
}

/** The value of the option for sheets that are not imported. */
const ignoredOption = '-';

/**
 * Asks as which sheet of the kind each sheet with an unknown name is read. The form is open while one of them is
 * undecided, or follows the choice in an earlier import. Sheets without a choice are not sent and stay undecided.
 */
export const FileSheetsForm = observer(function FileSheetsForm({ fileSheets, kind, onChoose }: FileSheetsFormProps) {
  const t = useText();
  const styles = useStyles();
  const admin = useAdminStyles();
  const formatFailure = useFormatFailure();
  const [choice, setChoice] = useState<Readonly<Record<string, string>>>({});
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false });
  const unknownSheets = fileSheets.filter(
    ({ name, by }, index) => by !== 'NAME' && fileSheets.findIndex((each) => each.name === name) === index,
  );
  if (unknownSheets.length === 0) return null;
  const sheetChoices = unknownSheets.map(({ name, sheet, by, proposal }) => {
    const current = by === null ? '' : (sheet ?? ignoredOption);
    const option = choice[name] ?? (by === null ? (proposal ?? '') : current);
    const hint =
      option === current
        ? hints[by ?? 'NONE']
        : choice[name] === undefined
          ? 'imports.sheets.proposed'
          : 'imports.sheets.unread';
    return { name, current, option, hint };
  });
  const changedChoices = sheetChoices.filter(({ option, current }) => option !== current && option !== '');
  const recognizedIds = fileSheets.flatMap(({ sheet, by }) => (by === 'NAME' && sheet !== null ? [sheet] : []));
  const chosenIds = [...recognizedIds, ...sheetChoices.map(({ option }) => option)].filter(
    (id) => id !== '' && id !== ignoredOption,
  );
  const hasDuplicate = new Set(chosenIds).size < chosenIds.length;
  const send = async (): Promise<void> => {
    setState({ busy: true });
    try {
      await onChoose(
        changedChoices.map(({ name, option }) => ({ name, sheet: option === ignoredOption ? null : option })),
      );
      setState({ busy: false });
    } catch (failure) {
      setState({ busy: false, failure });
    }
  };
  return (
    <details open={unknownSheets.some(({ by }) => by !== 'CHOSEN')}>
      <summary className={styles.summary}>{t('imports.sheets.title', { count: unknownSheets.length })}</summary>
      <div className={styles.form}>
        <div className={styles.fields}>
          {unknownSheets.map(({ name, file, by }, index) => (
            <Field
              key={name}
              className={styles.field}
              label={t('imports.sheets.label', { name, file })}
              hint={t(sheetChoices[index]?.hint ?? hints.NONE)}
            >
              <Select
                className={styles.select}
                value={sheetChoices[index]?.option ?? ''}
                disabled={state.busy}
                onChange={(_, { value }) => setChoice({ ...choice, [name]: value })}
              >
                {by === null ? <option value="">{t('imports.sheets.choose')}</option> : null}
                <option value={ignoredOption}>{t('imports.sheets.ignore')}</option>
                {kind.sheets.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.name}
                  </option>
                ))}
              </Select>
            </Field>
          ))}
        </div>
        {hasDuplicate ? <p className={styles.failure}>{t('imports.sheets.twice')}</p> : null}
        <p className={admin.note}>{t('imports.sheets.note')}</p>
        <Button disabled={changedChoices.length === 0 || hasDuplicate || state.busy} onClick={() => void send()}>
          {t('imports.sheets.readAgain')}
        </Button>
        {state.failure === undefined ? null : (
          <p role="alert" className={styles.failure}>
            {formatFailure(state.failure)}
          </p>
        )}
      </div>
    </details>
  );
});
