import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import { Button, Checkbox, makeStyles, SearchBox, tokens, useRestoreFocusTarget } from '#core/ui';
import { DataTable, type DataColumn, type DataTableSort } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import type { ContentNode, NodeAlignment } from '../../../../contract/api/tour-content.ts';
import { sortRows, toListedRows } from '../../stores/listed-rows.ts';
import { useSiteLengths } from '../../stores/site-lengths.ts';
import type { ViewpointEditor } from '../../stores/viewpoint-editor.ts';

const useStyles = makeStyles({
  root: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: tokens.spacingVerticalS },
  scroller: { overflowX: 'auto' },
  // The sum of the minimum widths of the columns. In a narrower table the titles would touch.
  table: { '@media (min-width: 738px)': { minWidth: '800px' } },
  number: { fontVariantNumeric: 'tabular-nums' },
  // The table stacks its cells below 640 px, which is about this window width.
  wide: { '@media (max-width: 737px)': { display: 'none' } },
  stacked: { '@media (min-width: 738px)': { display: 'none' } },
  text: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', display: 'block' },
});

export interface ViewpointTableProps {
  readonly editor: ViewpointEditor;
  readonly alignments: readonly NodeAlignment[];
  readonly onEdit: (uid: string) => void;
}

/** Table of the viewpoints of a deck, to select and edit them without the plan. */
export const ViewpointTable = observer(function ViewpointTable({ editor, alignments, onEdit }: ViewpointTableProps) {
  const t = useText();
  const styles = useStyles();
  const opener = useRestoreFocusTarget();
  const [sort, setSort] = useState<DataTableSort>();
  const [search, setSearch] = useState('');
  const { nodes } = editor;
  const { symbol: unit } = useSiteLengths(editor.location);
  const residuals = useMemo(() => new Map(alignments.map(({ node, residual }) => [node, residual])), [alignments]);
  const rows = useMemo(() => {
    const text = search.trim().toLowerCase();
    const matching =
      text === ''
        ? nodes
        : nodes.filter(({ code, name }) => code.toLowerCase().includes(text) || name.toLowerCase().includes(text));
    return toListedRows(sortRows(matching, sort, (node, column) => getSortValue(node, column, residuals)));
  }, [nodes, sort, search, residuals]);
  const columns = useMemo((): readonly DataColumn<ContentNode>[] => {
    const createNumberColumn = (
      id: string,
      title: string,
      read: (node: ContentNode) => number,
      location: string | undefined,
    ) => ({
      id,
      title,
      width: id === 'heading' ? 'minmax(80px, 1fr)' : 'minmax(60px, 1fr)',
      sortable: true,
      cell: (node: ContentNode) => <NumberCell title={title} value={read(node)} location={location} />,
    });
    return [
      {
        id: 'select',
        title: t('tour.content.select'),
        titleHidden: true,
        width: '36px',
        cell: (node, tabIndex) => <SelectCell node={node} editor={editor} tabIndex={tabIndex} />,
      },
      {
        id: 'name',
        title: t('tour.content.name'),
        width: 'minmax(88px, 2fr)',
        sortable: true,
        cell: ({ name }) => <span className={styles.text}>{name}</span>,
      },
      {
        id: 'code',
        title: t('tour.content.code'),
        width: 'minmax(76px, 1fr)',
        sortable: true,
        cell: ({ code }) => (
          <span className={styles.text} title={code}>
            {code}
          </span>
        ),
      },
      createNumberColumn('east', t('tour.content.east', { unit }), ({ position }) => position[0], editor.location),
      createNumberColumn(
        'north',
        t('tour.content.north.axis', { unit }),
        ({ position }) => position[1],
        editor.location,
      ),
      createNumberColumn('up', t('tour.content.up', { unit }), ({ position }) => position[2], editor.location),
      createNumberColumn('heading', t('tour.content.heading'), ({ heading }) => heading, undefined),
      {
        id: 'panorama',
        title: t('tour.content.panorama'),
        width: 'minmax(76px, 1fr)',
        sortable: true,
        cell: ({ hasPanorama }) => (
          <TitledValue
            title={t('tour.content.panorama')}
            value={t(hasPanorama ? 'tour.content.panorama.yes' : 'tour.content.panorama.no')}
          />
        ),
      },
      {
        id: 'aligned',
        title: t('tour.align.aligned'),
        width: 'minmax(60px, 1fr)',
        sortable: true,
        cell: ({ uid }) => <AlignedCell residual={residuals.get(uid)} />,
      },
      {
        id: 'actions',
        title: t('tour.content.actions'),
        titleHidden: true,
        width: '72px',
        cell: ({ uid, code }, tabIndex) => (
          <Button
            {...opener}
            size="small"
            tabIndex={tabIndex}
            aria-label={t('tour.content.editOne', { code })}
            onClick={() => onEdit(uid)}
          >
            {t('tour.content.edit')}
          </Button>
        ),
      },
    ];
  }, [t, unit, editor, residuals, onEdit, opener, styles]);
  return (
    <div className={styles.root}>
      <SearchBox
        value={search}
        placeholder={t('tour.findPlace')}
        aria-label={t('tour.findPlace')}
        onChange={(_, { value }) => setSearch(value)}
      />
      <div className={styles.scroller}>
        <div className={styles.table}>
          <DataTable
            label={t('tour.content.viewpoints')}
            rows={rows}
            columns={columns}
            rowHeightPx={44}
            narrow={{ belowPx: 640, rowHeightPx: 256 }}
            sort={sort}
            onSort={setSort}
            empty={<p>{t(search === '' ? 'tour.content.viewpoint.none' : 'tour.noResult')}</p>}
          />
        </div>
      </div>
    </div>
  );
});

/** Returns the value to sort by. Viewpoints without an alignment come last. */
function getSortValue(
  { uid, code, name, position, heading, hasPanorama }: ContentNode,
  column: string,
  residuals: ReadonlyMap<string, number>,
): string | number {
  const values: Readonly<Record<string, string | number>> = {
    name,
    code,
    east: position[0],
    north: position[1],
    up: position[2],
    heading,
    panorama: hasPanorama ? 0 : 1,
    // No residual is as large as 360 degrees.
    aligned: residuals.get(uid) ?? 360,
  };
  return values[column] ?? '';
}

const AlignedCell = observer(function AlignedCell({ residual }: { readonly residual: number | undefined }) {
  const t = useText();
  const value = residual === undefined ? t('tour.align.notAligned') : t('tour.align.degrees', { value: residual });
  return <TitledValue title={t('tour.align.aligned')} value={value} />;
});

interface NumberCellProps {
  readonly title: string;
  readonly value: number;
  /** Uid of a location of the site if the value is a length in metres. */
  readonly location: string | undefined;
}

const NumberCell = observer(function NumberCell({ title, value, location }: NumberCellProps) {
  const styles = useStyles();
  const formats = useFormats();
  const lengths = useSiteLengths(location);
  return (
    <span className={styles.number}>
      <TitledValue
        title={title}
        value={location === undefined ? formats.coordinate(value) : lengths.coordinate(value)}
      />
    </span>
  );
});

/** A value with the title of its column while the cells are stacked. */
function TitledValue({ title, value }: { readonly title: string; readonly value: string }) {
  const t = useText();
  const styles = useStyles();
  return (
    <>
      <span className={styles.wide}>{value}</span>
      <span className={styles.stacked}>{t('tour.content.fieldValue', { field: title, value })}</span>
    </>
  );
}

interface SelectCellProps {
  readonly node: ContentNode;
  readonly editor: ViewpointEditor;
  readonly tabIndex: 0 | -1;
}

const SelectCell = observer(function SelectCell({ node: { uid, code }, editor, tabIndex }: SelectCellProps) {
  const t = useText();
  return (
    <Checkbox
      tabIndex={tabIndex}
      aria-label={t('tour.content.selectOne', { code })}
      checked={editor.selected.has(uid)}
      onChange={() => editor.select([uid], 'toggle')}
    />
  );
});
