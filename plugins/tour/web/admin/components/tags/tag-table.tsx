import { observer } from 'mobx-react-lite';
import { useMemo } from 'react';
import { Badge, Button, EmptyState, makeStyles, mergeClasses, tokens, useRestoreFocusTarget } from '#core/ui';
import { DataTable, type DataColumn, type DataTableSort, type PagedRows } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import type { ContentTag } from '../../../../contract/api/tag-content.ts';

const useStyles = makeStyles({
  truncated: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  strong: { fontWeight: tokens.fontWeightSemibold },
  second: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  actions: { display: 'flex', gap: tokens.spacingHorizontalS },
});

export interface TagTableProps {
  readonly rows: PagedRows<ContentTag>;
  readonly sort: DataTableSort;
  readonly onSort: (sort: DataTableSort) => void;
  readonly getLocationName: (location: string) => string;
  readonly onEdit: (tag: ContentTag) => void;
  readonly onPlace: (tag: ContentTag) => void;
}

/** Table of tags and lines. */
export const TagTable = observer(function TagTable({
  rows,
  sort,
  onSort,
  getLocationName,
  onEdit,
  onPlace,
}: TagTableProps) {
  const t = useText();
  const formats = useFormats();
  const columns = useMemo(
    (): readonly DataColumn<ContentTag>[] => [
      {
        id: 'number',
        title: t('tour.tags.number'),
        width: 'minmax(0, 1.4fr)',
        sortable: true,
        cell: ({ number, line }) => <TwoTexts first={number} second={line?.number ?? ''} strong />,
      },
      {
        id: 'kind',
        title: t('tour.tag.kind'),
        width: 'minmax(0, 0.8fr)',
        sortable: true,
        cell: ({ kind }) => <TwoTexts first={t(`tour.kind.${kind}`)} />,
      },
      {
        id: 'description',
        title: t('tour.tags.description'),
        width: 'minmax(0, 1.8fr)',
        sortable: true,
        cell: ({ description, location }) => <TwoTexts first={description} second={getLocationName(location)} />,
      },
      {
        id: 'place',
        title: t('tour.tags.seenFrom'),
        width: 'minmax(0, 1fr)',
        cell: ({ position, views, viewsPending, hasCourse }) =>
          viewsPending && position ? (
            <TwoTexts first={t('tour.tags.viewsPending')} />
          ) : position || views > 0 ? (
            <TwoTexts first={t('tour.tags.views', { count: views, shown: formats.number(views) })} />
          ) : hasCourse ? (
            <TwoTexts first={t('tour.tags.course')} />
          ) : (
            <Badge appearance="tint" color="warning">
              {t('tour.tags.unplaced')}
            </Badge>
          ),
      },
      {
        id: 'actions',
        title: t('tour.tags.actions'),
        titleHidden: true,
        width: '200px',
        cell: (tag, tabIndex) => <Actions tag={tag} tabIndex={tabIndex} onEdit={onEdit} onPlace={onPlace} />,
      },
    ],
    // oxlint-disable-next-line react/exhaustive-deps -- `formats` is new on each render; `t` changes with the language
    [t, getLocationName, onEdit, onPlace],
  );
  return (
    <DataTable
      label={t('tour.tags.tab')}
      rows={rows}
      columns={columns}
      rowHeightPx={56}
      narrow={{ belowPx: 700, rowHeightPx: 196 }}
      sort={sort}
      onSort={onSort}
      empty={<EmptyState title={t('tour.tags.nothing')} message={t('tour.tags.nothingHint')} />}
    />
  );
});

interface TwoTextsProps {
  readonly first: string;
  readonly second?: string;
  readonly strong?: boolean;
}

function TwoTexts({ first, second = '', strong = false }: TwoTextsProps) {
  const styles = useStyles();
  return (
    <>
      <div className={mergeClasses(styles.truncated, strong && styles.strong)} title={first}>
        {first}
      </div>
      {second === '' ? null : (
        <div className={mergeClasses(styles.truncated, styles.second)} title={second}>
          {second}
        </div>
      )}
    </>
  );
}

interface ActionsProps extends Pick<TagTableProps, 'onEdit' | 'onPlace'> {
  readonly tag: ContentTag;
  readonly tabIndex: 0 | -1;
}

function Actions({ tag, tabIndex, onEdit, onPlace }: ActionsProps) {
  const styles = useStyles();
  const t = useText();
  const opener = useRestoreFocusTarget();
  const { number } = tag;
  return (
    <div className={styles.actions}>
      <Button
        {...opener}
        tabIndex={tabIndex}
        aria-label={t('tour.content.editOne', { code: number })}
        onClick={() => onEdit(tag)}
      >
        {t('tour.content.edit')}
      </Button>
      <Button
        {...opener}
        tabIndex={tabIndex}
        aria-label={t('tour.tags.placeOne', { number })}
        onClick={() => onPlace(tag)}
      >
        {t('tour.tags.place')}
      </Button>
    </div>
  );
}
