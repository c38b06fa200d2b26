import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, makeStyles, mergeClasses, tokens, useId } from '#core/ui';
import { useService, useText } from '#core/web';
import type { TreeRow } from '../stores/object-tree.ts';
import { HiddenIcon, OpenIcon, ShownIcon } from './icons.tsx';
import { ModelViewStore } from '../stores/model-view-store.ts';

/** Row heights in pixels; a finger needs more. */
const rowHeightFor = { mouse: 32, finger: 44 } as const;
/** Rows rendered above and below the visible ones. */
const spare = 8;

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
  gone: { opacity: 0.55 },
  name: { flexGrow: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', fontSize: tokens.fontSizeBase300 },
  twist: { minWidth: '24px', width: '24px', height: '24px', padding: 0 },
  open: { transform: 'rotate(90deg)' },
  eye: { minWidth: '28px', width: '28px', height: '28px', padding: 0 },
  none: { padding: '16px', color: tokens.colorNeutralForeground2 },
});

/** Virtualized tree of objects, because a model has thousands of rows. Keyboard as in the ARIA tree pattern. */
export const ObjectList = observer(function ObjectList({ words }: { readonly words: string }) {
  const styles = useStyles();
  const t = useText();
  const modelView = useService(ModelViewStore);
  const { tree, hidden, object } = modelView;
  const list = useRef<HTMLDivElement>(null);
  const prefix = useId('model-tree');
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(() => new Set(tree.getChildren(undefined)));
  const [active, setActive] = useState<number>();
  const [scrolled, setScrolled] = useState(0);
  const [height, setHeight] = useState(400);
  const [rowHeight] = useState(() =>
    window.matchMedia('(pointer: coarse)').matches ? rowHeightFor.finger : rowHeightFor.mouse,
  );
  const rows = tree.rows(expanded, words);

  useEffect(() => {
    if (!list.current) return undefined;
    const element = list.current;
    const size = new ResizeObserver(() => setHeight(element.clientHeight));
    size.observe(element);
    return () => size.disconnect();
  }, []);

  const reveal = useCallback(
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

  // An object that was selected in the picture is expanded and scrolled into view.
  const selectedId = object?.id;
  useEffect(() => {
    if (selectedId === undefined) return;
    setExpanded((before) => new Set([...before, ...tree.pathTo(selectedId).slice(0, -1)]));
    setActive(selectedId);
  }, [tree, selectedId]);
  const selectedRow = selectedId === undefined ? -1 : rows.findIndex((row) => row.object.id === selectedId);
  useEffect(() => reveal(selectedRow), [reveal, selectedRow]);

  const toggle = ({ object: { id }, expanded: open }: TreeRow, to = !open): void => {
    const next = new Set(expanded);
    if (to) next.add(id);
    else next.delete(id);
    setExpanded(next);
  };

  const onKey = (event: KeyboardEvent): void => {
    const at = Math.max(
      0,
      rows.findIndex((row) => row.object.id === active),
    );
    const row = rows[at];
    if (!row) return;
    const goTo = (index: number): void => {
      const target = rows[Math.max(0, Math.min(rows.length - 1, index))];
      setActive(target?.object.id);
      reveal(Math.max(0, Math.min(rows.length - 1, index)));
    };
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => goTo(active === undefined ? 0 : at + 1),
      ArrowUp: () => goTo(at - 1),
      Home: () => goTo(0),
      End: () => goTo(rows.length - 1),
      ArrowRight: () => (row.expandable && !row.expanded ? toggle(row, true) : goTo(at + 1)),
      ArrowLeft: () =>
        row.expandable && row.expanded && words === ''
          ? toggle(row, false)
          : goTo(rows.findIndex((other) => other.object.id === row.object.parent)),
      Enter: () => modelView.select([row.object.id]),
      ' ': () => modelView.hide(row.object.id, !hidden.has(row.object.id)),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  /** The object whose row was clicked. The tree handles clicks and keys, because its rows never have the focus. */
  const findClicked = ({ target }: MouseEvent): number | undefined => {
    const id = (target as Element).closest<HTMLElement>('[role="treeitem"]')?.dataset.object;
    return id === undefined ? undefined : Number(id);
  };
  const handleClick = (event: MouseEvent): void => {
    const id = findClicked(event);
    if (id !== undefined) modelView.select([id]);
  };
  const handleDoubleClick = (event: MouseEvent): void => {
    const id = findClicked(event);
    if (id !== undefined) modelView.engine?.fit(tree.below(id));
  };

  if (rows.length === 0) return <div className={styles.none}>{t('model-3d.nothingFound')}</div>;
  const first = Math.max(0, Math.floor(scrolled / rowHeight) - spare);
  const shown = rows.slice(first, Math.ceil((scrolled + height) / rowHeight) + spare);
  const activeShown = shown.some((row) => row.object.id === active);
  return (
    <div
      ref={list}
      role="tree"
      tabIndex={0}
      aria-label={t('model-3d.tree')}
      {...(activeShown ? { 'aria-activedescendant': `${prefix}-${active}` } : {})}
      className={styles.list}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
      onKeyDown={onKey}
      onClick={handleClick}
      onDoubleClick={handleDoubleClick}
    >
      <div role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
        {shown.map((row, index) => {
          const { id, name, tag } = row.object;
          const isHidden = hidden.has(id);
          const chosen = id === selectedId;
          return (
            <div
              key={id}
              id={`${prefix}-${id}`}
              data-object={id}
              role="treeitem"
              aria-level={row.depth + 1}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              aria-selected={chosen}
              {...(row.expandable ? { 'aria-expanded': row.expanded } : {})}
              className={mergeClasses(
                styles.row,
                chosen && styles.selected,
                id === active && styles.active,
                isHidden && styles.gone,
              )}
              style={{
                top: `${(first + index) * rowHeight}px`,
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
                  className={mergeClasses(styles.twist, row.expanded && styles.open)}
                  icon={<OpenIcon />}
                  onClick={(event) => {
                    event.stopPropagation();
                    toggle(row);
                  }}
                />
              ) : (
                <span className={styles.twist} />
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
                icon={isHidden ? <HiddenIcon /> : <ShownIcon />}
                onClick={(event) => {
                  event.stopPropagation();
                  modelView.hide(id, !isHidden);
                }}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
});
