import { Input, makeStyles } from '#core/ui';

const useStyles = makeStyles({ search: { padding: '0 8px 8px' }, words: { width: '100%' } });

export interface SearchFieldProps {
  readonly label: string;
  readonly words: string;
  readonly onWords: (words: string) => void;
}

/** Filters a list by text. */
export function SearchField({ label, words, onWords }: SearchFieldProps) {
  const styles = useStyles();
  return (
    <div className={styles.search} role="search">
      <Input
        className={styles.words}
        type="search"
        aria-label={label}
        placeholder={label}
        value={words}
        onChange={(_, { value }) => onWords(value)}
      />
    </div>
  );
}
