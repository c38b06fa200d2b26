import { useEffect, useState, type ReactNode } from 'react';
import { Button, makeStyles, MessageBar, MessageBarActions, MessageBarBody, tokens, Tooltip } from '#core/ui';
import { useText } from '#core/web';

const useStyles = makeStyles({
  panel: {
    position: 'absolute',
    top: '56px',
    right: '8px',
    bottom: '8px',
    width: '360px',
    maxWidth: 'calc(100% - 16px)',
    display: 'flex',
    flexDirection: 'column',
    overflow: 'hidden',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    boxShadow: tokens.shadow8,
    '@media (forced-colors: active)': { border: '1px solid CanvasText' },
    '@media (max-width: 639px)': { left: 0, right: 0, top: 'auto', bottom: '56px', width: 'auto', maxWidth: 'none', height: '44%', borderBottomLeftRadius: 0, borderBottomRightRadius: 0 },
  },
  head: { display: 'flex', alignItems: 'center', gap: '8px', padding: '8px 8px 8px 16px' },
  title: { margin: 0, flexGrow: 1, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400, fontWeight: tokens.fontWeightSemibold },
  body: { overflowY: 'auto', flexGrow: 1, padding: '0 8px 8px' },
  foot: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px', padding: '8px' },
});

/** How long a deletion can be taken back by a button, milliseconds. */
const undoTime = 30_000;

export interface ToolPanelProps {
  readonly title: string;
  readonly closeLabel: string;
  readonly onClose: () => void;
  /** What was deleted last, where it can be brought back for a while. */
  readonly deleted?: { readonly uid: string; readonly name: string } | undefined;
  readonly onRestore?: () => void;
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

/** A list at the place of the tour's own panel. */
export function ToolPanel({ title, closeLabel, onClose, deleted, onRestore, foot, children }: ToolPanelProps) {
  const styles = useStyles();
  const t = useText();
  const undoable = useRecent(deleted?.uid);
  return (
    <aside className={styles.panel} aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <Tooltip content={closeLabel} relationship="label">
          <Button appearance="subtle" icon={<Cross />} onClick={onClose} />
        </Tooltip>
      </div>
      <div className={styles.body}>{children}</div>
      {deleted && undoable && onRestore ? (
        <MessageBar>
          <MessageBarBody>{t('annotate.deleted', { name: deleted.name })}</MessageBarBody>
          <MessageBarActions>
            <Button onClick={onRestore}>{t('annotate.restore')}</Button>
          </MessageBarActions>
        </MessageBar>
      ) : null}
      {foot === null ? null : <div className={styles.foot}>{foot}</div>}
    </aside>
  );
}

function Cross() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
      <path d="M5 5l10 10M15 5 5 15" />
    </svg>
  );
}

/** True for a while after the value came. */
function useRecent(value: string | undefined): boolean {
  const [past, setPast] = useState<string>();
  useEffect(() => {
    if (value === undefined) return undefined;
    const timer = setTimeout(() => setPast(value), undoTime);
    return () => clearTimeout(timer);
  }, [value]);
  return value !== undefined && value !== past;
}
