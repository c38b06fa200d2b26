import { observer } from 'mobx-react-lite';
import { useEffect, useId, useRef } from 'react';
import type { LocalizedError } from '#core';
import { Button, Field, Input, makeStyles, Select, tokens } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import type { ImportColumnInfo } from '../../contract/api.ts';
import type { ListedConstant } from '../stores/list-constants.ts';
import { FindingText } from './finding-text.tsx';
import { ValueHint } from './value-hint.tsx';

const useStyles = makeStyles({
  root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalS },
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(280px, 100%), 1fr))',
    gap: tokens.spacingHorizontalM,
    alignItems: 'start',
  },
  field: { minWidth: 0 },
  control: { width: '100%', minWidth: 0 },
  hint: { display: 'block' },
  remove: { justifySelf: 'start', minWidth: 0, color: tokens.colorBrandForegroundLink },
  add: { maxWidth: '420px' },
});

export interface ConstantFieldsProps {
  readonly constants: readonly ListedConstant[];
  /** Columns that can get a value for all rows. */
  readonly addableColumns: readonly ImportColumnInfo[];
  /** Why the server refused a value, by column id. */
  readonly refusals: Readonly<Record<string, LocalizedError>>;
  readonly disabled: boolean;
  /** Id of the column whose new field gets the focus. */
  readonly focusedColumn?: string | undefined;
  /** Null: no value. */
  readonly onChoose: (column: string, text: string | null) => void;
}

/** Fields for the values that all rows get in columns that the file lacks, and a choice to add such columns. */
export const ConstantFields = observer(function ConstantFields({
  constants,
  addableColumns,
  refusals,
  disabled,
  focusedColumn,
  onChoose,
}: ConstantFieldsProps) {
  const t = useText();
  const styles = useStyles();
  const { language } = useService(I18n);
  const canAdd = !disabled && addableColumns.length > 0;
  if (constants.length === 0 && !canAdd) return null;
  return (
    <section className={styles.root} aria-label={t('imports.constants.title')}>
      {constants.length === 0 ? null : (
        <div className={styles.fields}>
          {constants.map((constant) => (
            <ConstantField
              key={constant.column.id}
              constant={constant}
              refusal={refusals[constant.column.id]}
              disabled={disabled}
              hasFocus={constant.column.id === focusedColumn}
              onChoose={(text) => onChoose(constant.column.id, text)}
            />
          ))}
        </div>
      )}
      {canAdd ? (
        <Field className={styles.add} label={t('imports.constants.add')}>
          <Select
            className={styles.control}
            value=""
            onChange={(_, { value }) => (value === '' ? undefined : onChoose(value, ''))}
          >
            <option value="">{t('imports.constants.addColumn')}</option>
            {addableColumns.map(({ id, header, required }) => (
              <option key={id} value={id}>
                {header[language] + (required ? ' *' : '')}
              </option>
            ))}
          </Select>
        </Field>
      ) : null}
    </section>
  );
});

interface ConstantFieldProps {
  readonly constant: ListedConstant;
  readonly refusal: LocalizedError | undefined;
  readonly disabled: boolean;
  /** Whether the field gets the focus when it is added. */
  readonly hasFocus: boolean;
  readonly onChoose: (text: string | null) => void;
}

const ConstantField = observer(function ConstantField({
  constant: { column, text, isRemembered },
  refusal,
  disabled,
  hasFocus,
  onChoose,
}: ConstantFieldProps) {
  const t = useText();
  const styles = useStyles();
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (hasFocus) select.current?.focus();
  }, [hasFocus]);
  const hintId = useId();
  const { language } = useService(I18n);
  const name = column.header[language];
  return (
    <div className={styles.field}>
      <Field
        label={t('imports.constants.label', { column: name })}
        required
        hint={t(isRemembered ? 'imports.constants.remembered' : 'imports.constants.hint')}
        {...(refusal ? { validationMessage: <FindingText finding={refusal} column={column} /> } : {})}
      >
        {column.values.length > 0 ? (
          <Select
            ref={(field: HTMLSelectElement | null) => {
              select.current = field;
            }}
            className={styles.control}
            value={text}
            disabled={disabled}
            onChange={(_, { value }) => onChoose(value)}
          >
            <option value="">{t('imports.constants.choose')}</option>
            {column.values.map(({ value, label }) => (
              <option key={value} value={value}>
                {label[language]}
              </option>
            ))}
          </Select>
        ) : (
          <Input
            autoFocus={hasFocus}
            className={styles.control}
            value={text}
            disabled={disabled}
            aria-describedby={hintId}
            onChange={(_, { value }) => onChoose(value)}
          />
        )}
      </Field>
      {column.values.length > 0 ? null : <ValueHint id={hintId} className={styles.hint} column={column} />}
      {disabled ? null : (
        <Button className={styles.remove} size="small" appearance="transparent" onClick={() => onChoose(null)}>
          {t('imports.constants.remove', { column: name })}
        </Button>
      )}
    </div>
  );
});
