import { Button, makeStyles, mergeClasses, tokens, Tooltip } from '@fluentui/react-components';
import { useRef, useState, type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { useCover } from './cover.ts';

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
    '@media (max-width: 639px)': {
      left: 0,
      right: 0,
      top: 'auto',
      bottom: '56px',
      width: 'auto',
      maxWidth: 'none',
      height: 'var(--sheet-height)',
      maxHeight: 'calc(100% - 56px - var(--viewer-top))',
      borderBottomLeftRadius: 0,
      borderBottomRightRadius: 0,
    },
  },
  // The handle that resizes a sheet.
  handle: {
    display: 'none',
    '@media (max-width: 639px)': {
      display: 'block',
      flexShrink: 0,
      height: '20px',
      marginBottom: '-8px',
      cursor: 'row-resize',
      touchAction: 'none',
      outlineOffset: '-2px',
    },
    // The touch target is behind the title.
    '@media (max-width: 639px) and (pointer: coarse)': { height: '44px', marginBottom: '-32px' },
    '::before': {
      content: '""',
      display: 'block',
      width: '40px',
      height: '4px',
      margin: '8px auto',
      borderRadius: tokens.borderRadiusCircular,
      backgroundColor: tokens.colorNeutralStroke1Hover,
    },
    '@media (forced-colors: active)': { '::before': { backgroundColor: 'CanvasText' } },
  },
  head: {
    display: 'flex',
    alignItems: 'center',
    gap: '8px',
    padding: '8px 8px 8px 16px',
    // By touch, the handle's target is behind the title. With a mouse, the title can be selected.
    '@media (max-width: 639px)': { position: 'relative' },
    '@media (max-width: 639px) and (pointer: coarse)': {
      pointerEvents: 'none',
      '& > button': { pointerEvents: 'auto' },
    },
  },
  title: {
    margin: 0,
    flexGrow: 1,
    minWidth: 0,
    overflowWrap: 'anywhere',
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  body: { overflowY: 'auto', flexGrow: 1, padding: '0 8px 8px' },
  hasRoom: { padding: '0 16px 16px' },
});

export interface SidePanelProps {
  readonly title: string;
  readonly closeLabel: string;
  readonly onClose: () => void;
  /** Wider padding for text and forms. List rows have their own padding. */
  readonly widePadding?: boolean;
  /** Content below the scrolling area. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

/** Height of a sheet and the step of the arrow keys, in per cent of the page. */
const sheet = { initial: 45, min: 25, max: 85, step: 10 } as const;
/** The pointer moves at most this far during a tap. */
const maxTapMovePx = 4;

/** A panel at the right of a viewer. On a phone it is a sheet above the bottom bar. */
export function SidePanel({ title, closeLabel, onClose, widePadding = false, foot, children }: SidePanelProps) {
  const styles = useStyles();
  const [height, setHeight] = useState<number>(sheet.initial);
  return (
    <aside
      ref={useCover('right')}
      aria-label={title}
      className={styles.panel}
      style={{ '--sheet-height': `${height}%` } as CSSProperties}
    >
      <SheetHandle height={height} onHeight={setHeight} />
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <Tooltip content={closeLabel} relationship="label">
          <Button
            appearance="subtle"
            onClick={onClose}
            icon={
              <svg
                viewBox="0 0 20 20"
                width="20"
                height="20"
                fill="none"
                stroke="currentColor"
                strokeWidth="1.5"
                aria-hidden="true"
              >
                <path d="M5 5l10 10M15 5 5 15" />
              </svg>
            }
          />
        </Tooltip>
      </div>
      <div className={mergeClasses(styles.body, widePadding && styles.hasRoom)}>{children}</div>
      {foot}
    </aside>
  );
}

/** The handle that resizes a sheet on a phone, by dragging, tapping or arrow keys. */
function SheetHandle({ height, onHeight }: { readonly height: number; readonly onHeight: (height: number) => void }) {
  const styles = useStyles();
  const t = useText();
  const pressState = useRef<{ readonly y: number; dragged: boolean }>({ y: 0, dragged: false });
  const resize = (percent: number): void => onHeight(Math.round(Math.min(sheet.max, Math.max(sheet.min, percent))));
  const handlePointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const panel = event.currentTarget.parentElement;
    const page = panel?.offsetParent;
    if (!panel || !page || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    if (Math.abs(event.clientY - pressState.current.y) > maxTapMovePx) pressState.current.dragged = true;
    if (!pressState.current.dragged) return;
    resize(((panel.getBoundingClientRect().bottom - event.clientY) / page.clientHeight) * 100);
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const percent = { ArrowUp: height + sheet.step, ArrowDown: height - sheet.step, Home: sheet.min, End: sheet.max }[
      event.key
    ];
    if (percent === undefined) return;
    event.preventDefault();
    resize(percent);
  };
  return (
    <div
      role="separator"
      aria-orientation="horizontal"
      aria-label={t('core.sheetSize')}
      aria-valuemin={sheet.min}
      aria-valuemax={sheet.max}
      aria-valuenow={height}
      tabIndex={0}
      className={styles.handle}
      onPointerDown={(event) => {
        pressState.current = { y: event.clientY, dragged: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={handlePointerMove}
      onClick={() => (pressState.current.dragged ? undefined : resize(height < sheet.max ? sheet.max : sheet.initial))}
      onKeyDown={handleKeyDown}
    />
  );
}
