import { useState } from 'react';
import { Input, makeStyles } from '#core/ui';
import { useText } from '#core/web';

const useStyles = makeStyles({ field: { flexGrow: 1, minWidth: 0 } });

/** Edits a name. `onEnd` receives the new name, or undefined if it is unchanged. */
export function NameField({
  name,
  onEnd,
}: {
  readonly name: string;
  readonly onEnd: (name: string | undefined) => void;
}) {
  const styles = useStyles();
  const t = useText();
  const [written, setWritten] = useState(name);
  const end = (): void => onEnd(written.trim() === '' ? undefined : written.trim());
  return (
    <Input
      className={styles.field}
      autoFocus
      aria-label={t('annotate.name')}
      value={written}
      maxLength={120}
      onChange={(_, { value }) => setWritten(value)}
      onBlur={end}
      onKeyDown={(event) => {
        if (event.key === 'Enter') end();
        else if (event.key === 'Escape') {
          event.stopPropagation();
          onEnd(undefined);
        }
      }}
    />
  );
}
