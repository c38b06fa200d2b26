import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useText } from '../i18n/use-text.ts';
import { useDelayed } from './use-delayed.ts';

const useStyles = makeStyles({
  notes: {
    position: 'absolute',
    top: 'var(--viewer-top)',
    // Centred in the area next to a panel.
    left: 'calc((100% - var(--viewer-right, 0px)) / 2)',
    transform: 'translateX(-50%)',
    display: 'grid',
    gap: '8px',
    justifyItems: 'center',
    width: 'max-content',
    maxWidth: 'calc(100% - var(--viewer-right, 0px) - 32px)',
    zIndex: 1,
  },
  note: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '4px 12px',
    padding: '6px 16px',
    maxWidth: '480px',
    boxSizing: 'border-box',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    boxShadow: tokens.shadow8,
  },
  button: { '@media (pointer: coarse)': { minHeight: '44px' } },
});

export interface PictureNotesProps {
  /** True if the WebGL context was lost and not restored. */
  readonly graphicsLost: boolean;
  /** Message about parts that failed to load, hidden while the graphics are lost. Undefined if no part is missing. */
  readonly partsMissing?: string | undefined;
  /** Loads the missing parts again. */
  readonly onRetry?: () => void;
  /** Another message, hidden while the graphics are lost. */
  readonly note?: PictureNote | undefined;
}

export interface PictureNote {
  readonly message: string;
  readonly action: string;
  readonly onAction: () => void;
  /** Closes the message. Without it the message stays. */
  readonly onClose?: () => void;
}

/** Messages over an image that stays visible, each with an action. */
export function PictureNotes({ graphicsLost, partsMissing, onRetry, note }: PictureNotesProps) {
  const styles = useStyles();
  const text = useText();
  return (
    <div role="status" className={styles.notes}>
      {graphicsLost ? <GraphicsLost /> : null}
      {partsMissing === undefined || graphicsLost ? null : (
        <div className={styles.note}>
          <span>{partsMissing}</span>
          {onRetry ? (
            <Button className={styles.button} size="small" onClick={onRetry}>
              {text('core.tryAgain')}
            </Button>
          ) : null}
        </div>
      )}
      {note && !graphicsLost ? (
        <div className={styles.note}>
          <span>{note.message}</span>
          <Button className={styles.button} size="small" onClick={note.onAction}>
            {note.action}
          </Button>
          {note.onClose ? (
            <Button className={styles.button} size="small" appearance="subtle" onClick={note.onClose}>
              {text('core.close')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

/** Browsers usually restore a lost WebGL context within this time. */
const restoreTimeoutMs = 4_000;

function GraphicsLost() {
  const styles = useStyles();
  const text = useText();
  const timedOut = useDelayed(restoreTimeoutMs);
  return (
    <div className={styles.note}>
      <span>{text(timedOut ? 'core.graphics.gone' : 'core.graphics.lost')}</span>
      {timedOut ? (
        <Button className={styles.button} size="small" onClick={() => window.location.reload()}>
          {text('core.graphics.reload')}
        </Button>
      ) : null}
    </div>
  );
}
