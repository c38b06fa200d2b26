import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, Field, makeStyles, MessageBar, MessageBarBody, Select, tokens } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import { readFormats, type ReadFormat } from '../../contract/index.ts';
import type { ListedReading } from '../stores/list-readings.ts';
import { ReadingNotes } from './reading-notes.tsx';

const useStyles = makeStyles({
  root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalS },
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(280px, 100%), 1fr))',
    gap: tokens.spacingHorizontalM,
  },
  field: { minWidth: 0 },
  select: { width: '100%', minWidth: 0 },
  change: { minWidth: 0, color: tokens.colorBrandForegroundLink },
});

/** The choice replaces the button that had the focus, so it takes the focus. */
const focus = (choice: HTMLSelectElement | null): void => choice?.focus();

export interface ColumnReadingsProps {
  readonly readings: readonly ListedReading[];
  readonly disabled: boolean;
  readonly onChoose: (header: string, format: ReadFormat) => void;
}

/**
 * Shows how ambiguous dates and numbers are read, with a choice for each column. If the values of a column decide it,
 * the choice appears only after a person asks for it.
 */
export const ColumnReadings = observer(function ColumnReadings({ readings, disabled, onChoose }: ColumnReadingsProps) {
  const t = useText();
  const styles = useStyles();
  const { language } = useService(I18n);
  /** Headers whose choice a person opened although the values decide, in the order of opening. */
  const [openHeaders, setOpenHeaders] = useState<readonly string[]>([]);
  if (readings.length === 0) return null;
  const choosableReadings = readings.filter(({ header, by }) => by !== 'VALUES' || openHeaders.includes(header));
  return (
    <section className={styles.root} aria-label={t('imports.readings.title')}>
      {choosableReadings.some(({ isOpen }) => isOpen) ? (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{t('imports.readings.undecided')}</MessageBarBody>
        </MessageBar>
      ) : null}
      {choosableReadings.length === 0 ? null : (
        <div className={styles.fields}>
          {choosableReadings.map(({ header, column, choices, format, ...reading }) => (
            <Field
              key={header}
              className={styles.field}
              required
              label={t('imports.readings.question', { column: column.header[language] })}
              hint={toHint(t, reading)}
            >
              <Select
                className={styles.select}
                ref={openHeaders.at(-1) === header ? focus : undefined}
                value={format ?? ''}
                disabled={disabled}
                onChange={(_, { value }) => {
                  const chosenFormat = readFormats.find((each) => each === value);
                  if (chosenFormat) onChoose(header, chosenFormat);
                }}
              >
                {format === null ? <option value="">{t('imports.readings.choose')}</option> : null}
                {choices.map((each) => (
                  <option key={each} value={each}>
                    {t(`imports.readings.choice.${each}`)}
                  </option>
                ))}
              </Select>
            </Field>
          ))}
        </div>
      )}
      <ReadingNotes
        readings={readings.filter((reading) => !choosableReadings.includes(reading))}
        renderAction={({ header, column }) =>
          disabled ? null : (
            <Button
              className={styles.change}
              size="small"
              appearance="transparent"
              onClick={() => setOpenHeaders([...openHeaders, header])}
            >
              {t('imports.readings.change', { column: column.header[language] })}
            </Button>
          )
        }
      />
    </section>
  );
});

function toHint(
  t: ReturnType<typeof useText>,
  { by, decided, isMixed, examples }: Pick<ListedReading, 'by' | 'decided' | 'isMixed' | 'examples'>,
) {
  if (decided)
    return t('imports.readings.decided', {
      example: decided.example,
      format: t(`imports.readings.format.${decided.format}`),
    });
  if (by === 'REMEMBERED') return t('imports.readings.remembered');
  const values = { first: examples[0] ?? '', second: examples[1] ?? '' };
  return t(isMixed ? 'imports.readings.mixed' : 'imports.readings.open', values);
}
