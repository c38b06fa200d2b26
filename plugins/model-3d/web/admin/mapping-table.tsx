import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#core';
import { Badge, Button, makeStyles, mergeClasses, tokens, useRestoreFocusTarget } from '#core/ui';
import { useText } from '#core/web';
import type { listObjects, MappedObject } from '../../contract/api.ts';
import { pageSize, type Pages } from './use-pages.ts';

const wideRow = 56;
const narrowRow = 148;
const narrowBelow = 760;
/** Rows drawn above and below those in sight. */
const spare = 6;

const useStyles = makeStyles({
  scroller: {
    position: 'relative',
    overflowY: 'auto',
    height: 'max(320px, calc(100dvh - 360px))',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  row: {
    position: 'absolute',
    left: 0,
    right: 0,
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 1.4fr) minmax(0, 1fr) 232px',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    padding: `0 ${tokens.spacingHorizontalM}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    boxSizing: 'border-box',
  },
  narrow: { gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'center', rowGap: tokens.spacingVerticalXXS },
  head: {
    position: 'sticky',
    top: 0,
    zIndex: 1,
    height: '40px',
    backgroundColor: tokens.colorNeutralBackground3,
    fontWeight: tokens.fontWeightSemibold,
  },
  cut: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  within: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  tag: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS, minWidth: 0 },
  actions: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM },
  link: {
    color: tokens.colorBrandForegroundLink,
    minHeight: '32px',
    display: 'flex',
    alignItems: 'center',
    '@media (pointer: coarse)': { minHeight: '44px' },
  },
  gone: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
});

interface MappingTableProps {
  readonly total: number;
  readonly pages: Pages<ReplyOf<typeof listObjects>>;
  /** Address of an object in the 3D view. */
  readonly linkOf: (object: MappedObject) => string | undefined;
  readonly nodeName: (uid: string) => string;
  readonly onEdit: (object: MappedObject) => void;
}

/** Rows of which only those in sight are drawn and fetched: a model has a hundred thousand. */
export const MappingTable = observer(function MappingTable({
  total,
  pages,
  linkOf,
  nodeName,
  onEdit,
}: MappingTableProps) {
  const styles = useStyles();
  const t = useText();
  const scroller = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const [size, setSize] = useState({ height: 480, width: 1000 });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observed = new ResizeObserver(() => setSize({ height: element.clientHeight, width: element.clientWidth }));
    observed.observe(element);
    return () => observed.disconnect();
  }, []);
  const narrow = size.width < narrowBelow;
  const rowHeight = narrow ? narrowRow : wideRow;
  const first = Math.max(0, Math.floor(scrolled / rowHeight) - spare);
  const last = Math.min(total - 1, Math.ceil((scrolled + size.height) / rowHeight) + spare);
  const { need } = pages;
  useEffect(() => need(first, last), [need, first, last]);

  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const at = first + index;
    const page = pages.pages.get(Math.floor(at / pageSize));
    return { at, object: page?.objects[at % pageSize], tag: page?.tags[at % pageSize] };
  });
  return (
    <div
      ref={scroller}
      role="table"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls, so the keyboard must reach it
      tabIndex={0}
      aria-label={t('model-3d.mapping.title')}
      aria-rowcount={total + 1}
      className={styles.scroller}
      onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop)}
    >
      <div role="rowgroup" className={narrow ? styles.gone : undefined}>
        <div
          role="row"
          aria-rowindex={1}
          className={mergeClasses(styles.row, styles.head)}
          style={{ position: 'sticky' }}
        >
          <span role="columnheader">{t('model-3d.mapping.object')}</span>
          <span role="columnheader">{t('model-3d.mapping.tag')}</span>
          <span role="columnheader">{t('model-3d.mapping.node')}</span>
          <span role="columnheader">
            <span className={styles.gone}>{t('model-3d.mapping.actions')}</span>
          </span>
        </div>
      </div>
      <div role="rowgroup" style={{ position: 'relative', height: `${total * rowHeight}px` }}>
        {rows.map(({ at, object, tag }) => (
          <div
            key={at}
            role="row"
            aria-rowindex={at + 2}
            className={mergeClasses(styles.row, narrow && styles.narrow)}
            style={{ top: `${at * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {object ? (
              <ObjectCells object={object} link={linkOf(object)} nodeName={nodeName} onEdit={onEdit} />
            ) : tag === undefined ? (
              <Empty words={t('model-3d.mapping.coming')} />
            ) : (
              <TagCells tag={tag} />
            )}
          </div>
        ))}
      </div>
    </div>
  );
});

function Empty({ words }: { readonly words: string }) {
  return <span role="cell">{words}</span>;
}

function TagCells({ tag }: { readonly tag: string }) {
  const t = useText();
  return (
    <>
      <span role="cell">{t('model-3d.mapping.noObject')}</span>
      <strong role="cell">{tag}</strong>
      <span role="cell" />
      <span role="cell" />
    </>
  );
}

function ObjectCells({
  object,
  link,
  nodeName,
  onEdit,
}: {
  readonly object: MappedObject;
  readonly link: string | undefined;
  readonly nodeName: (uid: string) => string;
  readonly onEdit: (object: MappedObject) => void;
}) {
  const styles = useStyles();
  const t = useText();
  const { name, within, tag, mappedTag, mappedNode, known } = object;
  const opener = useRestoreFocusTarget();
  const counts = mappedTag ?? tag ?? '';
  const standsIn = within.join(' › ');
  return (
    <>
      <div role="cell" className={styles.cut}>
        <div className={styles.cut} title={name}>
          {name}
        </div>
        <div className={mergeClasses(styles.cut, styles.within)} title={standsIn}>
          {standsIn}
        </div>
      </div>
      <div role="cell" className={styles.tag}>
        <span className={styles.cut} title={counts}>
          {counts === '' ? t('model-3d.mapping.none') : counts}
        </span>
        {mappedTag === null ? null : (
          <Badge appearance="tint" color="brand">
            {t('model-3d.mapping.byHand')}
          </Badge>
        )}
        {known === false ? (
          <Badge appearance="tint" color="warning">
            {t('model-3d.mapping.unknown')}
          </Badge>
        ) : null}
      </div>
      <span role="cell" className={styles.cut}>
        {mappedNode ? nodeName(mappedNode) : ''}
      </span>
      <div role="cell" className={styles.actions}>
        <Button {...opener} onClick={() => onEdit(object)} aria-label={t('model-3d.mapping.editOne', { name })}>
          {t('model-3d.mapping.edit')}
        </Button>
        {link === undefined ? null : (
          <Link to={link} className={styles.link} aria-label={t('model-3d.mapping.showOne', { name })}>
            {t('model-3d.mapping.show')}
          </Link>
        )}
      </div>
    </>
  );
}
