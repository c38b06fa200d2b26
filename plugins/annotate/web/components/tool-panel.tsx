import { useEffect, useState, type ReactNode } from 'react';
import { Button, makeStyles, MessageBar, MessageBarActions, MessageBarBody, SidePanel } from '#core/ui';
import { useText } from '#core/web';

const useStyles = makeStyles({
  foot: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px', padding: '8px' },
  progress: { margin: 0, padding: '8px' },
});

/** The time for which the undo button of a deletion is shown. */
const undoMs = 30_000;

export interface ToolPanelProps {
  readonly title: string;
  readonly closeLabel: string;
  readonly onClose: () => void;
  /** The last deleted item while it can be restored. */
  readonly lastDeleted?: { readonly uid: string; readonly name: string } | undefined;
  readonly onRestore?: () => void;
  /** Progress of a list that is loading. */
  readonly progress?: { readonly count: number; readonly total: number } | undefined;
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

/** A list in the panel area of the tour. */
export function ToolPanel({
  title,
  closeLabel,
  onClose,
  lastDeleted,
  onRestore,
  progress,
  foot,
  children,
}: ToolPanelProps) {
  const styles = useStyles();
  const t = useText();
  const canUndo = useRecent(lastDeleted?.uid);
  const undo =
    lastDeleted && canUndo && onRestore ? (
      <MessageBar>
        <MessageBarBody>{t('annotate.deleted', { name: lastDeleted.name })}</MessageBarBody>
        <MessageBarActions>
          <Button onClick={onRestore}>{t('annotate.restore')}</Button>
        </MessageBarActions>
      </MessageBar>
    ) : null;
  return (
    <SidePanel
      title={title}
      closeLabel={closeLabel}
      onClose={onClose}
      foot={
        <>
          {undo}
          {progress ? (
            <p className={styles.progress} role="status">
              {t('annotate.loadedOf', { ...progress })}
            </p>
          ) : null}
          {foot === null ? null : <div className={styles.foot}>{foot}</div>}
        </>
      }
    >
      {children}
    </SidePanel>
  );
}

/** Whether the value changed less than `undoMs` ago. */
function useRecent(value: string | undefined): boolean {
  const [expired, setExpired] = useState<string>();
  useEffect(() => {
    if (value === undefined) return undefined;
    const timer = setTimeout(() => setExpired(value), undoMs);
    return () => clearTimeout(timer);
  }, [value]);
  return value !== undefined && value !== expired;
}
