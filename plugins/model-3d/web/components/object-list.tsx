import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, makeStyles, mergeClasses, tokens, useId } from '#core/ui';
import { useService, useText } from '#core/web';
import type { TreeRow } from '../stores/object-tree.ts';
import { HiddenIcon, OpenIcon, VisibleIcon } from './icons.tsx';
import { ModelViewStore } from '../stores/model-view-store.ts';

/** Row heights. A finger needs higher rows than a mouse. */
const rowHeightsPx = { mouse: 32, finger: 44 } as const;
/** Number of rows that are rendered above and below the visible rows. */
const overscanRows = 8;

const useStyles = makeStyles({
  list: {
    position: 'relative',
    overflowY: 'auto',
    flexGrow: 1,
    minHeight: 0,
    outlineOffset: '-2px',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  row: {
    position: 'absolute',
    left: 0,
    right: 0,
    display: 'flex',
    alignItems: 'center',
    gap: '2px',
    paddingRight: '4px',
    cursor: 'pointer',
    whiteSpace: 'nowrap',
    ':hover': { backgroundColor: tokens.colorSubtleBackgroundHover },
  },
  selected: {
    backgroundColor: tokens.colorSubtleBackgroundSelected,
    fontWeight: tokens.fontWeightSemibold,
    '@media (forced-colors: active)': { outline: '2px solid Highlight', outlineOffset: '-2px' },
  },
  active: { boxShadow: `inset 0 0 0 1px ${tokens.colorStrokeFocus2}` },
  hidden: { opacity: 0.55 },
  name: { flexGrow: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', fontSize: tokens.fontSizeBase300 },
  expander: { minWidth: '24px', width: '24px', height: '24px', padding: 0 },
  open: { transform: 'rotate(90deg)' },
  eye: { minWidth: '28px', width: '28px', height: '28px', padding: 0 },
  empty: { padding: '16px', color: tokens.colorNeutralForeground2 },
});

/** The object tree, with the keys of the ARIA tree pattern. Renders only visible rows, as there may be thousands. */
export const ObjectList = observer(function ObjectList({ searchText }: { readonly searchText: string }) {
  const styles = useStyles();
  const t = useText();
  const modelView = useService(ModelViewStore);
  const { tree, hidden, selectedObject } = modelView;
  const list = useRef<HTMLDivElement>(null);
  const prefix = useId('model-tree');
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(() => new Set(tree.listRowChildren(undefined)));
  const [active, setActive] = useState<number>();
  const [scrollTop, setScrollTop] = useState(0);
  const [height, setHeight] = useState(400);
  const [rowHeight] = useState(() =>
    window.matchMedia('(pointer: coarse)').matches ? rowHeightsPx.finger : rowHeightsPx.mouse,
  );
  const rows = tree.listRows(expanded, searchText);

  useEffect(() => {
    if (!list.current) return undefined;
    const element = list.current;
    const resizeObserver = new ResizeObserver(() => setHeight(element.clientHeight));
    resizeObserver.observe(element);
    return () => resizeObserver.disconnect();
  }, []);

  const scrollToRow = useCallback(
    (index: number): void => {
      const element = list.current;
      if (!element || index < 0) return;
      const top = index * rowHeight;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + rowHeight > element.scrollTop + element.clientHeight)
        element.scrollTop = top + rowHeight - element.clientHeight;
    },
    [rowHeight],
  );

  // Expands the tree down to an object that was selected in the picture, and scrolls to it.
  const selectedId = selectedObject?.id;
  useEffect(() => {
    if (selectedId === undefined) return;
    setExpanded((previous) => new Set([...previous, ...tree.getPath(selectedId).slice(0, -1)]));
    setActive(selectedId);
  }, [tree, selectedId]);
  const selectedRow = selectedId === undefined ? -1 : rows.findIndex((row) => row.object.id === selectedId);
  useEffect(() => scrollToRow(selectedRow), [scrollToRow, selectedRow]);

  const toggle = ({ object: { id }, expanded: isOpen }: TreeRow, expand = !isOpen): void => {
    const nextExpanded = new Set(expanded);
    if (expand) nextExpanded.add(id);
    else nextExpanded.delete(id);
    setExpanded(nextExpanded);
  };

  const handleKeyDown = (event: KeyboardEvent): void => {
    const activeIndex = Math.max(
      0,
      rows.findIndex((row) => row.object.id === active),
    );
    const row = rows[activeIndex];
    if (!row) return;
    const activateRow = (index: number): void => {
      const target = rows[Math.max(0, Math.min(rows.length - 1, index))];
      setActive(target?.object.id);
      scrollToRow(Math.max(0, Math.min(rows.length - 1, index)));
    };
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => activateRow(active === undefined ? 0 : activeIndex + 1),
      ArrowUp: () => activateRow(activeIndex - 1),
      Home: () => activateRow(0),
      End: () => activateRow(rows.length - 1),
      ArrowRight: () => (row.expandable && !row.expanded ? toggle(row, true) : activateRow(activeIndex + 1)),
      ArrowLeft: () =>
        row.expandable && row.expanded && searchText === ''
          ? toggle(row, false)
          : activateRow(rows.findIndex((candidate) => candidate.object.id === tree.findParent(row.object.id))),
      Enter: () => modelView.select([row.object.id]),
      ' ': () => modelView.setSubtreeHidden(row.object.id, !hidden.has(row.object.id)),
    };
    const handleKey = keys[event.key];
    if (!handleKey) return;
    event.preventDefault();
    handleKey();
  };

  /** Finds the object of the clicked row. The tree handles clicks and keys, because its rows never have the focus. */
  const findClickedObject = ({ target }: MouseEvent): number | undefined => {
    const id = (target as Element).closest<HTMLElement>('[role="treeitem"]')?.dataset.object;
    return id === undefined ? undefined : Number(id);
  };
  const handleClick = (event: MouseEvent): void => {
    const id = findClickedObject(event);
    if (id !== undefined) modelView.select([id]);
  };
  const handleDoubleClick = (event: MouseEvent): void => {
    const id = findClickedObject(event);
    if (id !== undefined) modelView.engine?.fit(tree.getSubtree(id));
  };

  if (rows.length === 0) return <div className={styles.empty}>{t('model-3d.nothingFound')}</div>;
  const firstIndex = Math.max(0, Math.floor(scrollTop / rowHeight) - overscanRows);
  const visibleRows = rows.slice(firstIndex, Math.ceil((scrollTop + height) / rowHeight) + overscanRows);
  const isActiveVisible = visibleRows.some((row) => row.object.id === active);
  return (
    <div
      ref={list}
      role="tree"
      tabIndex={0}
      aria-label={t('model-3d.tree')}
      {...(isActiveVisible ? { 'aria-activedescendant': `${prefix}-${active}` } : {})}
      className={styles.list}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onKeyDown={handleKeyDown}
      onClick={handleClick}
      onDoubleClick={handleDoubleClick}
    >
      <div role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
        {visibleRows.map((row, index) => {
          const { id, name, tag } = row.object;
          const isHidden = hidden.has(id);
          const isSelected = id === selectedId;
          return (
            <div
              key={id}
              id={`${prefix}-${id}`}
              data-object={id}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-posinset={row.position}
              aria-setsize={row.siblingCount}
              aria-selected={isSelected}
              {...(row.expandable ? { 'aria-expanded': row.expanded } : {})}
              className={mergeClasses(
                styles.row,
                isSelected && styles.selected,
                id === active && styles.active,
                isHidden && styles.hidden,
              )}
              style={{
                top: `${(firstIndex + index) * rowHeight}px`,
                height: `${rowHeight}px`,
                paddingLeft: `${4 + row.depth * 14}px`,
              }}
            >
              {row.expandable ? (
                <Button
                  appearance="subtle"
                  size="small"
                  tabIndex={-1}
                  aria-hidden="true"
                  className={mergeClasses(styles.expander, row.expanded && styles.open)}
                  icon={<OpenIcon />}
                  onClick={(event) => {
                    event.stopPropagation();
                    toggle(row);
                  }}
                />
              ) : (
                <span className={styles.expander} />
              )}
              <span className={styles.name} title={tag === undefined || tag === name ? name : `${name}, ${tag}`}>
                {name}
              </span>
              <Button
                appearance="subtle"
                size="small"
                tabIndex={-1}
                className={styles.eye}
                aria-label={t(isHidden ? 'model-3d.showOne' : 'model-3d.hideOne', { name })}
                icon={isHidden ? <HiddenIcon /> : <VisibleIcon />}
                onClick={(event) => {
                  event.stopPropagation();
                  modelView.setSubtreeHidden(id, !isHidden);
                }}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
});
