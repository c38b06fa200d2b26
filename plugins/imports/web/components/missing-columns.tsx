import { observer } from 'mobx-react-lite';
import { useEffect, useRef } from 'react';
import { Field, makeStyles, MessageBar, MessageBarBody, Select, tokens } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import { canBeConstant } from '../../common/constant-columns.ts';
import type { ImportColumnInfo, ImportSheetInfo, ImportSheetState } from '../../contract/api.ts';

/** The option for one value for all rows. No header equals it, because headers are stored without outer spaces. */
const constantOption = ' ';

const useStyles = makeStyles({
  root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalS },
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(240px, 100%), 1fr))',
    alignItems: 'start',
    gap: tokens.spacingHorizontalM,
  },
});

export interface MissingColumnsProps {
  readonly sheetInfo: ImportSheetInfo;
  readonly sheet: ImportSheetState;
  readonly missingColumns: readonly ImportColumnInfo[];
  readonly disabled: boolean;
  /** A new object moves the focus to the choice at this index, or to the last one. */
  readonly focused: { readonly index: number } | undefined;
  readonly onChoose: (header: string, column: string) => void;
  /** Gives all rows the same value in a column. */
  readonly onAddConstant: (column: string) => void;
}

/** Required columns that the file lacks, each with a choice of a header of the file, or of one value for all rows. */
export const MissingColumns = observer(function MissingColumns({
  sheetInfo,
  sheet,
  missingColumns,
  disabled,
  focused,
  onChoose,
  onAddConstant,
}: MissingColumnsProps) {
  const t = useText();
  const styles = useStyles();
  const { language } = useService(I18n);
  const fields = useRef<(HTMLSelectElement | null)[]>([]);
  useEffect(() => {
    if (focused)
      fields.current
        .filter((field) => field !== null)
        .slice(0, focused.index + 1)
        .at(-1)
        ?.focus();
  }, [focused]);
  if (missingColumns.length === 0) return null;
  return (
    <section className={styles.root} aria-label={t('imports.columns.missing')}>
      <MessageBar intent="error" layout="multiline">
        <MessageBarBody>
          {t('imports.columns.missingNames', {
            sheet: sheetInfo.name,
            names: missingColumns.map(({ header }) => header[language]).join(', '),
          })}
        </MessageBarBody>
      </MessageBar>
      <div className={styles.fields}>
        {missingColumns.map(({ id, header, note }, index) => (
          <Field key={id} label={header[language]} required {...(note ? { hint: note[language] } : {})}>
            <Select
              ref={(field) => {
                fields.current[index] = field;
              }}
              value=""
              disabled={disabled}
              onChange={(_, { value }) => (value === constantOption ? onAddConstant(id) : onChoose(value, id))}
            >
              <option value="">{t('imports.columns.chooseHeader')}</option>
              {sheet.headers
                .filter(({ header: name }) => name !== '')
                .map(({ header: name }) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              {canBeConstant(sheetInfo.columns, id) ? (
                <option value={constantOption}>{t('imports.constants.option')}</option>
              ) : null}
            </Select>
          </Field>
        ))}
      </div>
    </section>
  );
});
