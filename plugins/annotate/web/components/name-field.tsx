import { useState } from 'react';
import { Input, makeStyles } from '#core/ui';
import { useText } from '#core/web';

const useStyles = makeStyles({ field: { flexGrow: 1, minWidth: 0 } });

/** Edits a name. `onEnd` receives the trimmed name on Enter or blur; undefined if cancelled or empty. */
export function NameField({
  name,
  onEnd,
}: {
  readonly name: string;
  readonly onEnd: (name: string | undefined) => void;
}) {
  const styles = useStyles();
  const t = useText();
  const [text, setText] = useState(name);
  const finish = (): void => onEnd(text.trim() === '' ? undefined : text.trim());
  return (
    <Input
      className={styles.field}
      autoFocus
      aria-label={t('annotate.name')}
      value={text}
      maxLength={120}
      onChange={(_, { value }) => setText(value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish();
        else if (event.key === 'Escape') {
          event.stopPropagation();
          onEnd(undefined);
        }
      }}
    />
  );
}
