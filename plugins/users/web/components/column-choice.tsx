import { personColumns, type PersonColumn } from '#core';
import { Button, Checkbox, makeStyles, Popover, PopoverSurface, PopoverTrigger } from '#core/ui';
import { useText } from '#core/web';

const useStyles = makeStyles({ list: { display: 'grid', maxHeight: '60vh', overflowY: 'auto' } });

export interface ColumnChoiceProps {
  readonly chosen: readonly PersonColumn[];
  readonly onChange: (columns: readonly string[]) => void;
}

/** Chooses the columns of the list. The name column cannot be removed. */
export function ColumnChoice({ chosen, onChange }: ColumnChoiceProps) {
  const t = useText();
  const styles = useStyles();
  return (
    <Popover trapFocus>
      <PopoverTrigger disableButtonEnhancement>
        <Button>{t('users.columns')}</Button>
      </PopoverTrigger>
      <PopoverSurface aria-label={t('users.columns')}>
        <div className={styles.list}>
          {personColumns.map((column) => (
            <Checkbox
              key={column}
              label={t(`users.column.${column}`)}
              checked={chosen.includes(column)}
              disabled={column === 'name'}
              onChange={(_, { checked }) =>
                onChange(
                  checked === true ? [...chosen, column] : chosen.filter((chosenColumn) => chosenColumn !== column),
                )
              }
            />
          ))}
        </div>
      </PopoverSurface>
    </Popover>
  );
}
