import { makeStyles, tokens } from '#core/ui';
import { useText } from '#core/web';

const useStyles = makeStyles({
  root: { margin: 0, fontSize: tokens.fontSizeBase200, color: tokens.colorNeutralForeground2 },
});

interface NotEditableNoteProps {
  readonly item: { readonly editable: boolean; readonly author: string };
  /** Whether the person can comment instead. */
  readonly canComment?: boolean;
}

/** Explains why an item of another person is read-only. Renders nothing for an editable item. */
export function NotEditableNote({ item: { editable, author }, canComment = false }: NotEditableNoteProps) {
  const styles = useStyles();
  const t = useText();
  if (editable) return null;
  return (
    <p className={styles.root}>{t(canComment ? 'annotate.notEditableComment' : 'annotate.notEditable', { author })}</p>
  );
}
