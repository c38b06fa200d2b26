import { makeStyles, tokens } from '#core/ui';
import { useText } from '#core/web';

const useStyles = makeStyles({
  root: { margin: 0, fontSize: tokens.fontSizeBase200, color: tokens.colorNeutralForeground2 },
});

interface NotEditableNoteProps {
  readonly item: { readonly editable: boolean; readonly author: string };
  /** Whether others may comment instead. */
  readonly comments?: boolean;
}

/** Explains why an item of another person is read-only. Renders nothing if the person may change it. */
export function NotEditableNote({ item: { editable, author }, comments = false }: NotEditableNoteProps) {
  const styles = useStyles();
  const t = useText();
  if (editable) return null;
  return (
    <p className={styles.root}>{t(comments ? 'annotate.notEditableComment' : 'annotate.notEditable', { author })}</p>
  );
}
