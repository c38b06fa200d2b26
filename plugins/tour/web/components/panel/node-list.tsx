import { useRef, useState, type KeyboardEvent } from 'react';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { observer } from 'mobx-react-lite';
import { Input, makeStyles, mergeClasses } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore, type Deck, type TourNode } from '#plugins/tour';
import { filterBySearch } from '../../stores/find-matches.ts';
import { VisitedIcon } from '../icons.tsx';
import { useRowStyles } from './use-row-styles.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', height: '100%' },
  search: { margin: '8px', flexShrink: 0, minHeight: '44px' },
  list: { flexGrow: 1, minHeight: 0, overflowY: 'auto', position: 'relative' },
  item: { position: 'absolute', top: 0, left: 0, right: 0 },
});

const headingHeightPx = 36;
const nodeHeightPx = 58;
const overscan = 6;

/** A row of the list. `position` and `count` are those of a node within its deck. */
type Item =
  | { readonly heading: string }
  | { readonly node: TourNode; readonly position: number; readonly count: number };

/** The nodes of the tour by deck, in walking order, with a search. Only the rows in view are in the page. */
export const NodeList = observer(function NodeList() {
  const styles = useStyles();
  const rowStyles = useRowStyles();
  const t = useText();
  const store = useService(TourStore);
  const [searchText, setSearchText] = useState('');
  const scroller = useRef<HTMLDivElement>(null);
  const found =
    searchText.trim() === ''
      ? store.nodes
      : filterBySearch(store.nodes, searchText, ({ name, code }) => [name, code]).items;
  const items = toItems(found, store.opened?.decks ?? []);
  const current = items.findIndex((item) => 'node' in item && item.node === store.currentNode);
  const [focused, setFocused] = useState(-1);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index] && 'heading' in items[index] ? headingHeightPx : nodeHeightPx),
    overscan,
    initialRect: { width: 360, height: 640 },
    initialOffset: current < 0 ? 0 : Math.max(0, current * nodeHeightPx - 2 * nodeHeightPx),
    // The focused row stays in the page, so that it keeps the focus when it is scrolled out of view.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), focused])]
        .filter((index) => index >= 0 && index < items.length)
        .toSorted((a, b) => a - b),
  });
  /** Moves the focus to the next or previous node. */
  const handleKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    let index = focused + step;
    while (items[index] && !('node' in items[index]!)) index += step;
    if (!items[index]) return;
    setFocused(index);
    virtualizer.scrollToIndex(index);
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] button`)?.focus(),
    );
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
          setFocused(-1);
          virtualizer.scrollToOffset(0);
        }}
        onKeyDown={handleKey}
      />
      {items.length === 0 ? (
        <p role="status" className={rowStyles.heading}>
          {t('tour.noResult')}
        </p>
      ) : null}
      <div ref={scroller} className={styles.list}>
        <div
          role="list"
          aria-label={t('tour.places')}
          style={{ height: virtualizer.getTotalSize() }}
          onKeyDown={handleKey}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const item = items[index];
            if (!item) return null;
            const place = {
              className: styles.item,
              style: { transform: `translateY(${start}px)` },
              'data-index': index,
            };
            return 'heading' in item ? (
              <div key={`deck ${item.heading}`} role="listitem" {...place}>
                <h3 className={rowStyles.heading}>{item.heading}</h3>
              </div>
            ) : (
              <div
                key={item.node.uid}
                role="listitem"
                aria-posinset={item.position}
                aria-setsize={item.count}
                {...place}
                onFocus={() => setFocused(index)}
              >
                <NodeRow node={item.node} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
});

function toItems(nodes: readonly TourNode[], decks: readonly Deck[]): readonly Item[] {
  const groups = new Map<string | undefined, TourNode[]>(decks.map(({ uid }) => [uid, []]));
  const others: TourNode[] = [];
  for (const node of nodes) (groups.get(node.deck ?? undefined) ?? others).push(node);
  const toNodeItems = (group: readonly TourNode[]): readonly Item[] =>
    group.map((node, index) => ({ node, position: index + 1, count: group.length }));
  return [
    ...decks.flatMap(({ uid, name }) => {
      const group = groups.get(uid) ?? [];
      return group.length === 0 ? [] : [{ heading: name }, ...toNodeItems(group)];
    }),
    ...toNodeItems(others),
  ];
}

const NodeRow = observer(function NodeRow({ node }: { readonly node: TourNode }) {
  const styles = useRowStyles();
  const t = useText();
  const store = useService(TourStore);
  const isCurrent = store.currentNode === node;
  const isVisited = store.visitedNodes.includes(node.uid) && !isCurrent;
  const status = isVisited ? t('tour.visited') : node.code;
  return (
    <button
      type="button"
      className={mergeClasses(styles.row, isCurrent && styles.current)}
      onClick={() => store.goTo(node.uid)}
      {...(isCurrent ? { 'aria-current': 'location' as const } : {})}
    >
      {node.thumbnail === null ? null : <img className={styles.picture} src={node.thumbnail} alt="" loading="lazy" />}
      <span className={styles.text}>
        <span>{node.name}</span>
        <span className={styles.small}>{isCurrent ? t('tour.here') : status}</span>
      </span>
      {isVisited ? <VisitedIcon /> : null}
    </button>
  );
});
