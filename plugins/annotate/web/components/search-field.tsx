import { Input, makeStyles } from '#core/ui';

const useStyles = makeStyles({ search: { padding: '0 8px 8px' }, text: { width: '100%' } });

export interface SearchFieldProps {
  readonly label: string;
  readonly text: string;
  readonly onTextChange: (text: string) => void;
}

/** Filters a list by text. */
export function SearchField({ label, text, onTextChange }: SearchFieldProps) {
  const styles = useStyles();
  return (
    <div className={styles.search} role="search">
      <Input
        className={styles.text}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(_, { value }) => onTextChange(value)}
      />
    </div>
  );
}
