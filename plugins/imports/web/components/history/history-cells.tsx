import { observer } from 'mobx-react-lite';
import type { ReplyOf } from '#core';
import { Button, makeStyles, mergeClasses, tokens } from '#core/ui';
import { I18n, Locations, RouteLink, useFormats, useService, useText } from '#core/web';
import { importWorkbench } from '../../../contract/index.ts';
import type { ImportKindInfo, listImports } from '../../../contract/api.ts';

/** An import in the history. */
export type ListedImport = ReplyOf<typeof listImports>['rows'][number];

const useStyles = makeStyles({
  line: { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  link: { color: tokens.colorBrandForegroundLink, fontWeight: tokens.fontWeightSemibold },
  note: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  number: { fontVariantNumeric: 'tabular-nums' },
});

interface CellProps {
  readonly row: ListedImport;
}

/** Kind, site and files, with the link to the import. */
export const SubjectCell = observer(function SubjectCell({
  row,
  kinds,
  tabIndex,
}: CellProps & { readonly kinds: readonly ImportKindInfo[]; readonly tabIndex: 0 | -1 }) {
  const styles = useStyles();
  const { language } = useService(I18n);
  const locations = useService(Locations);
  const title = kinds.find(({ id }) => id === row.kind)?.title[language] ?? row.kind;
  const details = [locations.find(row.site ?? '')?.name, ...row.files.map(({ name }) => name)].filter(Boolean);
  return (
    <>
      <RouteLink
        to={importWorkbench}
        params={{ batch: row.uid }}
        tabIndex={tabIndex}
        className={mergeClasses(styles.line, styles.link)}
      >
        {title}
      </RouteLink>
      <span className={mergeClasses(styles.line, styles.note)} title={details.join(' · ')}>
        {details.join(' · ')}
      </span>
    </>
  );
});

export const WhenCell = observer(function WhenCell({ row: { createdAt, author } }: CellProps) {
  const styles = useStyles();
  // One time zone for the whole list, that of the product, so that rows can be compared.
  const formats = useFormats();
  return (
    <>
      <span className={styles.line}>{formats.instant(createdAt)}</span>
      <span className={mergeClasses(styles.line, styles.note)}>{author.name}</span>
    </>
  );
});

const rowCountNames = ['added', 'changed', 'removed', 'unchanged', 'leftOut'] as const;

export const CountsCell = observer(function CountsCell({ row }: CellProps) {
  const t = useText();
  const styles = useStyles();
  const presentCounts = rowCountNames.filter((count) => row[count] > 0);
  return (
    <span className={styles.number}>
      {presentCounts.length === 0
        ? '–'
        : presentCounts.map((count) => t(`imports.history.count.${count}`, { count: row[count] })).join(', ')}
    </span>
  );
});

export const ActionsCell = observer(function ActionsCell({
  row,
  tabIndex,
  onUndo,
}: CellProps & { readonly tabIndex: 0 | -1; readonly onUndo: (row: ListedImport) => void }) {
  const t = useText();
  if (row.change === null || row.undone || row.phase !== 'DONE') return null;
  return (
    <Button size="small" tabIndex={tabIndex} onClick={() => onUndo(row)}>
      {t('imports.undo.action')}
    </Button>
  );
});
