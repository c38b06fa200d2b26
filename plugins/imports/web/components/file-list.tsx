import { Button, makeStyles, tokens, useRestoreFocusTarget } from '#core/ui';
import { useFormats, useText } from '#core/web';
import { observer } from 'mobx-react-lite';

const useStyles = makeStyles({
  list: { display: 'grid', gap: tokens.spacingVerticalXS, margin: 0, padding: 0, listStyleType: 'none' },
  file: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM },
  name: { flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere' },
  size: { color: tokens.colorNeutralForeground3, fontVariantNumeric: 'tabular-nums' },
});

export interface FileListProps {
  readonly label: string;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly disabled?: boolean;
  readonly onRemove?: (name: string) => void;
}

/** Files with their sizes. */
export const FileList = observer(function FileList({ label, files, disabled = false, onRemove }: FileListProps) {
  const t = useText();
  const formats = useFormats();
  const styles = useStyles();
  const opener = useRestoreFocusTarget();
  return (
    <ul className={styles.list} aria-label={label}>
      {files.map(({ name, bytes }) => (
        <li key={name} className={styles.file}>
          <span className={styles.name}>{name}</span>
          <span className={styles.size}>{formats.bytes(bytes)}</span>
          {onRemove ? (
            <Button
              {...opener}
              appearance="subtle"
              size="small"
              disabled={disabled}
              aria-label={t('imports.files.remove', { name })}
              onClick={() => onRemove(name)}
            >
              {t('imports.files.removeShort')}
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  );
});
