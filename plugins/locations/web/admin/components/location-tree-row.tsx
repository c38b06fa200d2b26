import type { ComponentPropsWithoutRef, RefObject } from 'react';
import { Badge, makeStyles, mergeClasses, tokens } from '#core/ui';
import { useText } from '#core/web';
import { ChevronIcon } from './chevron-icon.tsx';
import type { DropZone, TreeRow } from '../stores/tree-rows.ts';

/** Large enough for a finger. */
export const rowHeightPx = 52;
/** Deeper levels are not indented further, so that their names have room on a phone. */
const maxIndentedLevel = 8;
const indentPx = 16;

const useStyles = makeStyles({
  row: {
    position: 'absolute',
    left: 0,
    right: 0,
    boxSizing: 'border-box',
    height: `${rowHeightPx}px`,
    display: 'grid',
    gridTemplateColumns: '44px minmax(0, 1fr) auto',
    alignItems: 'center',
    paddingRight: tokens.spacingHorizontalM,
    borderLeft: '3px solid transparent',
    cursor: 'pointer',
    color: tokens.colorNeutralForeground1,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
    '@media (forced-colors: active)': { borderLeftColor: 'Canvas' },
  },
  selected: {
    backgroundColor: tokens.colorNeutralBackground1Selected,
    borderLeftColor: tokens.colorCompoundBrandStroke,
    '@media (forced-colors: active)': { borderLeftColor: 'Highlight' },
  },
  disabled: { color: tokens.colorNeutralForegroundDisabled, cursor: 'not-allowed' },
  chevron: { display: 'grid', placeItems: 'center', width: '44px', height: '44px' },
  text: { display: 'grid', minWidth: 0 },
  name: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  second: {
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    color: tokens.colorNeutralForeground3,
  },
  secondDisabled: { color: 'inherit' },
  into: { outline: `2px solid ${tokens.colorBrandStroke1}`, outlineOffset: '-2px' },
  line: {
    position: 'absolute',
    left: 0,
    right: 0,
    borderTop: `3px solid ${tokens.colorBrandStroke1}`,
    pointerEvents: 'none',
  },
  before: { top: '-2px' },
  after: { bottom: '-1px' },
});

export interface LocationTreeRowProps
  extends
    Pick<ComponentPropsWithoutRef<'div'>, 'onFocus' | 'onKeyDown' | 'onClick' | 'draggable'>,
    Pick<ComponentPropsWithoutRef<'div'>, 'onDragStart' | 'onDragOver' | 'onDragLeave' | 'onDrop' | 'onDragEnd'> {
  readonly row: TreeRow;
  readonly top: number;
  readonly active: boolean;
  readonly selected: boolean;
  readonly disabled: boolean;
  readonly dropZone: DropZone | undefined;
  readonly activeRef: RefObject<HTMLDivElement | null>;
  readonly onToggle: () => void;
}

export function LocationTreeRow({
  row: { node, level, position, setSize, open },
  top,
  active,
  selected,
  disabled,
  dropZone,
  activeRef,
  onToggle,
  ...handlers
}: LocationTreeRowProps) {
  const styles = useStyles();
  const t = useText();
  const type = t(`locations.type.${node.locationType}`);
  const label = node.label === node.name ? '' : node.label;
  return (
    <div
      {...handlers}
      {...(active ? { ref: activeRef } : {})}
      role="treeitem"
      tabIndex={active ? 0 : -1}
      aria-label={[node.name, label, node.uid, type].filter((part) => part !== '').join(', ')}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-expanded={open}
      aria-selected={selected}
      aria-disabled={disabled || undefined}
      className={mergeClasses(
        styles.row,
        selected && styles.selected,
        disabled && styles.disabled,
        dropZone === 'into' && styles.into,
      )}
      style={{ top: `${top}px`, paddingLeft: `${(Math.min(level, maxIndentedLevel) - 1) * indentPx}px` }}
    >
      <span
        aria-hidden
        className={styles.chevron}
        onClick={(event) => {
          if (open === undefined) return;
          event.stopPropagation();
          onToggle();
        }}
      >
        {open === undefined ? null : <ChevronIcon direction={open ? 'down' : 'right'} />}
      </span>
      <span className={styles.text} title={node.name}>
        <span className={styles.name}>{node.name}</span>
        <span className={mergeClasses(styles.second, disabled && styles.secondDisabled)}>
          {label === '' ? node.uid : `${node.uid} · ${label}`}
        </span>
      </span>
      <Badge appearance="tint" color="informative">
        {type}
      </Badge>
      {dropZone === 'before' || dropZone === 'after' ? (
        <span className={mergeClasses(styles.line, dropZone === 'before' ? styles.before : styles.after)} />
      ) : null}
    </div>
  );
}
