import { useEffect, useEffectEvent, useRef, useState, type ComponentProps, type KeyboardEvent } from 'react';
import { observer } from 'mobx-react-lite';
import { Input, makeStyles, mergeClasses } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore, type Deck, type TourNode } from '#plugins/tour';
import { filterBySearch } from '../../stores/find-matches.ts';
import { VisitedIcon } from '../icons.tsx';
import { RowPicture } from './row-picture.tsx';
import { useRowStyles } from './use-row-styles.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', height: '100%' },
  search: { margin: '8px', flexShrink: 0, minHeight: '44px' },
  list: { flexGrow: 1, minHeight: 0, overflowY: 'auto', position: 'relative' },
  item: { position: 'absolute', top: 0, left: 0, right: 0 },
  // All rows have the same height.
  name: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
});

const headingHeightPx = 36;
const nodeHeightPx = 58;
/** Height above and below the visible part in which rows are rendered, pixels. */
const overscanPx = 400;

/** A row of the list. `position` and `count` are those of a node within its deck. */
type ListItem =
  | { readonly heading: string }
  | { readonly node: TourNode; readonly position: number; readonly count: number };

/** The nodes of the tour by deck, in walking order, with a search. Only rows in view are rendered. */
export const NodeList = observer(function NodeList() {
  const styles = useStyles();
  const rowStyles = useRowStyles();
  const t = useText();
  const store = useService(TourStore);
  const [searchText, setSearchText] = useState('');
  const scroller = useRef<HTMLDivElement>(null);
  const matchingNodes =
    searchText.trim() === ''
      ? store.nodes
      : filterBySearch(store.nodes, searchText, ({ name, code }) => [name, code]).items;
  const items = toItems(matchingNodes, store.opened?.decks ?? []);
  const currentIndex = items.findIndex((item) => 'node' in item && item.node === store.currentNode);
  /** `focusedUid` is the node that had the focus last, `targetUid` the node that gets it by keyboard. */
  const [focusedUid, setFocusedUid] = useState<string>();
  const [targetUid, setTargetUid] = useState<string>();
  const focusedIndex = items.findIndex((item) => 'node' in item && item.node.uid === focusedUid);
  const tops = computeTops(items);
  const [scrollWindow, setScrollWindow] = useState({ top: 0, height: 640 });
  const updateScrollWindow = (): void => {
    const { current: list } = scroller;
    if (list) setScrollWindow({ top: list.scrollTop, height: list.clientHeight });
  };
  // The list starts at the current node. Rows that are added later do not move the focused row or the results.
  const scrollToCurrent = useEffectEvent(() => {
    const { current: list } = scroller;
    const anchorIndex = list?.contains(document.activeElement) ? focusedIndex : currentIndex;
    if (list && searchText.trim() === '') list.scrollTop = Math.max(0, (tops[anchorIndex] ?? 0) - 2 * nodeHeightPx);
    updateScrollWindow();
  });
  const isComplete = store.opened?.complete ?? true;
  useEffect(() => scrollToCurrent(), [isComplete]);
  /** Moves the focus to the next or previous node. */
  const handleKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    let index = focusedIndex + step;
    while (items[index] && !('node' in items[index]!)) index += step;
    const item = items[index];
    if (!item || !('node' in item)) return;
    setFocusedUid(item.node.uid);
    scrollIntoWindow(scroller.current, tops[index] ?? 0);
    updateScrollWindow();
    setTargetUid(item.node.uid);
  };
  return (
    <div className={styles.root}>
      <Input
        className={styles.search}
        type="search"
        aria-label={t('tour.findPlace')}
        placeholder={t('tour.findPlace')}
        value={searchText}
        onChange={(_, { value }) => {
          setSearchText(value);
          setFocusedUid(undefined);
          if (scroller.current) scroller.current.scrollTop = 0;
        }}
        onKeyDown={handleKey}
      />
      {isComplete ? null : (
        <p role="status" className={rowStyles.heading}>
          {t('tour.placesLoading')}
        </p>
      )}
      {items.length === 0 && isComplete ? (
        <p role="status" className={rowStyles.heading}>
          {t('tour.noResult')}
        </p>
      ) : null}
      <div ref={scroller} className={styles.list} onScroll={updateScrollWindow}>
        <div role="list" aria-label={t('tour.places')} style={{ height: tops[items.length] }}>
          {items.map((item, index) => {
            const start = tops[index] ?? 0;
            const isNear =
              start > scrollWindow.top - overscanPx && start < scrollWindow.top + scrollWindow.height + overscanPx;
            // The focused row stays rendered, so that it keeps the focus when it is scrolled out of view.
            if (!isNear && index !== focusedIndex) return null;
            const rowProps = {
              className: styles.item,
              style: { transform: `translateY(${start}px)` },
            };
            return 'heading' in item ? (
              <div key={`deck ${item.heading}`} role="listitem" {...rowProps}>
                <h3 className={rowStyles.heading}>{item.heading}</h3>
              </div>
            ) : (
              <div
                key={item.node.uid}
                role="listitem"
                aria-posinset={item.position}
                aria-setsize={item.count}
                {...rowProps}
              >
                <NodeRow
                  node={item.node}
                  focused={item.node.uid === targetUid}
                  onFocus={() => {
                    setFocusedUid(item.node.uid);
                    setTargetUid(undefined);
                  }}
                  onKeyDown={handleKey}
                />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
});

/** Computes the top of each row, and the height of all rows at the end. */
function computeTops(items: readonly ListItem[]): readonly number[] {
  const tops = [0];
  for (const item of items) tops.push((tops.at(-1) ?? 0) + ('heading' in item ? headingHeightPx : nodeHeightPx));
  return tops;
}

/** Scrolls a list as little as possible so that a row is visible. */
function scrollIntoWindow(list: HTMLElement | null, top: number): void {
  if (!list) return;
  list.scrollTop = Math.max(top + nodeHeightPx - list.clientHeight, Math.min(top, list.scrollTop));
}

function toItems(nodes: readonly TourNode[], decks: readonly Deck[]): readonly ListItem[] {
  const groups = new Map<string | undefined, TourNode[]>(decks.map(({ uid }) => [uid, []]));
  const otherNodes: TourNode[] = [];
  for (const node of nodes) (groups.get(node.deck ?? undefined) ?? otherNodes).push(node);
  const toNodeItems = (group: readonly TourNode[]): readonly ListItem[] =>
    group.map((node, index) => ({ node, position: index + 1, count: group.length }));
  return [
    ...decks.flatMap(({ uid, name }) => {
      const group = groups.get(uid) ?? [];
      return group.length === 0 ? [] : [{ heading: name }, ...toNodeItems(group)];
    }),
    ...toNodeItems(otherNodes),
  ];
}

interface NodeRowProps extends Pick<ComponentProps<'button'>, 'onFocus' | 'onKeyDown'> {
  readonly node: TourNode;
  /** Gets the focus when it becomes true. */
  readonly focused: boolean;
}

const NodeRow = observer(function NodeRow({ node, focused, ...handlers }: NodeRowProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (focused) button.current?.focus();
  }, [focused]);
  const styles = useRowStyles();
  const listStyles = useStyles();
  const t = useText();
  const store = useService(TourStore);
  const isCurrent = store.currentNode === node;
  const isVisited = store.visitedNodes.includes(node.uid) && !isCurrent;
  const status = isVisited ? t('tour.visited') : node.code;
  return (
    <button
      ref={button}
      type="button"
      className={mergeClasses(styles.row, isCurrent && styles.current)}
      onClick={() => store.goTo(node.uid)}
      {...handlers}
      {...(isCurrent ? { 'aria-current': 'location' as const } : {})}
    >
      {node.thumbnail === null ? null : <RowPicture url={node.thumbnail} />}
      <span className={styles.text}>
        <span className={listStyles.name}>{node.name}</span>
        <span className={styles.small}>{isCurrent ? t('tour.here') : status}</span>
      </span>
      {isVisited ? <VisitedIcon /> : null}
    </button>
  );
});
