import { Button, makeStyles, mergeClasses, tokens, Tooltip } from '@fluentui/react-components';
import type { ReactNode } from 'react';

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
    backgroundColor: `color-mix(in srgb, ${tokens.colorNeutralBackground1} 88%, transparent)`,
    backdropFilter: 'blur(10px)',
    color: tokens.colorNeutralForeground1,
    boxShadow: tokens.shadow8,
    '@media (forced-colors: active)': { backgroundColor: 'Canvas', border: '1px solid CanvasText' },
    '@media (max-width: 639px)': { left: 0, right: 0, top: 'auto', bottom: '56px', width: 'auto', maxWidth: 'none', height: '40%', borderBottomLeftRadius: 0, borderBottomRightRadius: 0 },
  },
  head: { display: 'flex', alignItems: 'center', gap: '8px', padding: '8px 8px 8px 16px' },
  title: { margin: 0, flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere', fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400, fontWeight: tokens.fontWeightSemibold },
  body: { overflowY: 'auto', flexGrow: 1, padding: '0 8px 8px' },
  roomy: { padding: '0 16px 16px' },
});

export interface SidePanelProps {
  readonly title: string;
  readonly closeLabel: string;
  readonly onClose: () => void;
  /** Leaves more room beside what is read or filled in than beside rows of a list, which bring their own. */
  readonly roomy?: boolean;
  /** Stays below what scrolls. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

/** The panel at the right of a tour, on a phone a sheet above the bar at the bottom. */
export function SidePanel({ title, closeLabel, onClose, roomy = false, foot, children }: SidePanelProps) {
  const styles = useStyles();
  return (
    <aside aria-label={title} className={styles.panel}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <Tooltip content={closeLabel} relationship="label">
          <Button
            appearance="subtle"
            onClick={onClose}
            icon={
              <svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
                <path d="M5 5l10 10M15 5 5 15" />
              </svg>
            }
          />
        </Tooltip>
      </div>
      <div className={mergeClasses(styles.body, roomy && styles.roomy)}>{children}</div>
      {foot}
    </aside>
  );
}
