import { observer } from 'mobx-react-lite';
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type DragEvent,
  type KeyboardEvent,
} from 'react';
import type { LocationNode } from '#core';
import { makeStyles, tokens } from '#core/ui';
import { defaultRangeExtractor, useVirtualizer } from '#core/ui-data';
import { useText } from '#core/web';
import { findKeyAction, findTypedRow } from '../stores/find-key-action.ts';
import type { DropZone, TreeDrag } from '../stores/tree-rows.ts';
import { useTreeState } from '../stores/use-tree-state.ts';
import { LocationTreeRow, rowHeightPx } from './location-tree-row.tsx';

const overscan = 6;
/** Letters typed within this time belong to one search text. */
const typingMs = 700;
/** Fraction of a row's height, at its top and at its bottom, where a drop goes before or after the row. */
const edgeFraction = 0.25;

const useStyles = makeStyles({
  scroller: {
    position: 'relative',
    overflowY: 'auto',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  body: { position: 'relative' },
  hidden: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  none: { margin: 0, padding: tokens.spacingHorizontalL, color: tokens.colorNeutralForeground2 },
});

export interface LocationTreeProps {
  readonly label: string;
  readonly roots: readonly LocationNode[];
  /** Shows only locations whose name, label and code contain its words, and their ancestors. */
  readonly query: string;
  readonly selected: string | undefined;
  readonly onSelect: (uid: string) => void;
  readonly maxHeight: string;
  readonly isDisabled?: (node: LocationNode) => boolean;
  readonly drag?: TreeDrag;
}

/** A tree of up to about 10,000 locations. Renders only the rows in sight. */
export const LocationTree = observer(function LocationTree({
  label,
  roots,
  query,
  selected,
  onSelect,
  maxHeight,
  isDisabled = () => false,
  drag,
}: LocationTreeProps) {
  const styles = useStyles();
  const t = useText();
  const { rows, matchCount, setOpen } = useTreeState(roots, query, selected);
  const scroller = useRef<HTMLDivElement>(null);
  const activeRow = useRef<HTMLDivElement>(null);
  const focusPending = useRef(false);
  const typeAhead = useRef({ text: '', at: 0 });
  const [activeUid, setActiveUid] = useState(selected);
  const [dragged, setDragged] = useState<LocationNode>();
  const [drop, setDrop] = useState<{ readonly uid: string; readonly zone: DropZone }>();

  const findIndex = (uid: string | undefined): number => rows.findIndex(({ node }) => node.uid === uid);
  const activeIndex = findIndex(activeUid);
  const activeRowIndex = activeIndex >= 0 ? activeIndex : Math.max(0, findIndex(selected));
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan,
    initialRect: { width: 400, height: 480 },
    useFlushSync: false,
    // The active and the dragged row stay in the document: one has the focus, the other receives the end of the drag.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), activeRowIndex, findIndex(dragged?.uid)])]
        .filter((index) => index >= 0 && index < rows.length)
        .toSorted((a, b) => a - b),
  });

  const showSelected = useEffectEvent(() => {
    const index = findIndex(selected);
    if (index < 0) return;
    setActiveUid(selected);
    virtualizer.scrollToIndex(index, { align: 'auto' });
  });
  useEffect(() => showSelected(), [selected]);

  useLayoutEffect(() => {
    if (!focusPending.current) return;
    focusPending.current = false;
    activeRow.current?.focus({ preventScroll: true });
  });

  const focusRow = (index: number): void => {
    focusPending.current = true;
    setActiveUid(rows[index]?.node.uid);
    virtualizer.scrollToIndex(index, { align: 'auto' });
  };
  const select = (node: LocationNode): void => {
    if (!isDisabled(node)) onSelect(node.uid);
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, timeStamp } = event;
    if (altKey || ctrlKey || metaKey) return;
    const rowsPerPage = Math.max(1, Math.floor((virtualizer.scrollRect?.height ?? 0) / rowHeightPx) - 1);
    const isTyping = timeStamp - typeAhead.current.at < typingMs;
    // A space within a text belongs to it, as in "Module M10".
    const action = key === ' ' && isTyping ? undefined : findKeyAction(key, rows, activeRowIndex, rowsPerPage);
    if (!action) {
      if (key.length !== 1) return;
      event.preventDefault();
      const text = isTyping ? typeAhead.current.text + key : key;
      typeAhead.current = { text, at: timeStamp };
      const index = findTypedRow(rows, activeRowIndex, text);
      if (index !== undefined) focusRow(index);
      return;
    }
    event.preventDefault();
    if ('moveTo' in action) focusRow(action.moveTo);
    else if ('setOpen' in action) setOpen(action.uids, action.setOpen);
    else if (rows[activeRowIndex]) select(rows[activeRowIndex].node);
  };

  const findDrop = (event: DragEvent, target: LocationNode) => {
    if (!drag || !dragged) return undefined;
    const fraction = (event.clientY - event.currentTarget.getBoundingClientRect().top) / rowHeightPx;
    const zone: DropZone = fraction < edgeFraction ? 'before' : fraction > 1 - edgeFraction ? 'after' : 'into';
    const placement = drag.findPlacement(dragged, target, zone);
    return placement && { zone, placement };
  };
  const endDrag = (): void => {
    setDragged(undefined);
    setDrop(undefined);
  };

  return (
    <>
      <div role="status" className={styles.hidden}>
        {matchCount === undefined ? '' : t('locations.sites.found', { count: matchCount })}
      </div>
      <div ref={scroller} className={styles.scroller} style={{ maxHeight }}>
        {rows.length === 0 ? (
          <p className={styles.none}>{t('locations.sites.noMatch', { text: query })}</p>
        ) : (
          <div
            role="tree"
            aria-label={label}
            className={styles.body}
            style={{ height: `${virtualizer.getTotalSize()}px` }}
          >
            {virtualizer.getVirtualItems().map(({ index, start }) => {
              const row = rows[index];
              if (!row) return null;
              const { node } = row;
              return (
                <LocationTreeRow
                  key={node.uid}
                  row={row}
                  top={start}
                  active={index === activeRowIndex}
                  selected={node.uid === selected}
                  disabled={isDisabled(node)}
                  dropZone={drop?.uid === node.uid ? drop.zone : undefined}
                  activeRef={activeRow}
                  onToggle={() => setOpen([node.uid], row.open !== true)}
                  onFocus={() => setActiveUid(node.uid)}
                  onKeyDown={handleKeyDown}
                  onClick={() => select(node)}
                  draggable={drag?.canDrag(node) ?? false}
                  onDragStart={({ dataTransfer }) => {
                    dataTransfer.effectAllowed = 'move';
                    // Firefox starts a drag only with data.
                    dataTransfer.setData('text/plain', node.uid);
                    setDragged(node);
                  }}
                  onDragOver={(event) => {
                    const dropTarget = findDrop(event, node);
                    setDrop(dropTarget && { uid: node.uid, zone: dropTarget.zone });
                    if (dropTarget) event.preventDefault();
                  }}
                  onDragLeave={() => setDrop((last) => (last?.uid === node.uid ? undefined : last))}
                  onDrop={(event) => {
                    const dropTarget = findDrop(event, node);
                    endDrag();
                    if (!dropTarget || !drag || !dragged) return;
                    event.preventDefault();
                    drag.onDrop(dragged, dropTarget.placement);
                  }}
                  onDragEnd={endDrag}
                />
              );
            })}
          </div>
        )}
      </div>
    </>
  );
});
