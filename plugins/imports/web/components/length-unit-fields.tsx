import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { lengthUnits, type LengthUnit } from '#core';
import { Button, Field, makeStyles, MessageBar, MessageBarBody, Select, tokens } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import { groupLengthColumns, type LengthColumn } from '../stores/list-length-columns.ts';

const useStyles = makeStyles({
  root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalS },
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(280px, 100%), 1fr))',
    gap: tokens.spacingHorizontalM,
  },
  field: { minWidth: 0 },
  select: { width: '100%', minWidth: 0 },
  split: { justifySelf: 'start', minWidth: 0, color: tokens.colorBrandForegroundLink },
});

export interface LengthUnitFieldsProps {
  readonly lengthColumns: readonly LengthColumn[];
  readonly disabled: boolean;
  readonly onChoose: (headers: readonly string[], unit: LengthUnit) => void;
}

/** The units of lengths of a sheet: one choice for columns that agree, or one for each column on request. */
export const LengthUnitFields = observer(function LengthUnitFields({
  lengthColumns,
  disabled,
  onChoose,
}: LengthUnitFieldsProps) {
  const t = useText();
  const styles = useStyles();
  const { language } = useService(I18n);
  const [isSplit, setSplit] = useState(false);
  if (lengthColumns.length === 0) return null;
  const groups = isSplit ? lengthColumns.map((each) => [each]) : groupLengthColumns(lengthColumns);
  return (
    <section className={styles.root} aria-label={t('imports.lengths.title')}>
      {lengthColumns.some(({ isOpen }) => isOpen) ? (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{t('imports.lengths.undecided')}</MessageBarBody>
        </MessageBar>
      ) : null}
      <div className={styles.fields}>
        {groups.map((group) => {
          const { unit, columnUnit, by, header: firstHeader } = group[0]!;
          const units = { unit: t(`core.system.unit.${unit}`), read: t(`core.system.unit.${columnUnit}`) };
          return (
            <Field
              key={firstHeader}
              className={styles.field}
              required
              label={t('imports.lengths.question', {
                count: group.length,
                columns: group.map(({ column }) => column.header[language]).join(', '),
              })}
              hint={[
                t(`imports.lengths.hint.${by}`, units),
                unit === columnUnit ? '' : t('imports.lengths.converted', units),
              ]
                .filter((sentence) => sentence !== '')
                .join(' ')}
            >
              <Select
                className={styles.select}
                value={unit}
                disabled={disabled}
                onChange={(_, { value }) => {
                  const chosenUnit = lengthUnits.find((each) => each === value);
                  if (chosenUnit)
                    onChoose(
                      group.map(({ header }) => header),
                      chosenUnit,
                    );
                }}
              >
                {lengthUnits.map((each) => (
                  <option key={each} value={each}>
                    {t(`core.system.unit.${each}`)}
                  </option>
                ))}
              </Select>
            </Field>
          );
        })}
      </div>
      {isSplit || disabled || groups.length === lengthColumns.length ? null : (
        <Button className={styles.split} size="small" appearance="transparent" onClick={() => setSplit(true)}>
          {t('imports.lengths.split')}
        </Button>
      )}
    </section>
  );
});
