import { observer } from 'mobx-react-lite';
import { useMemo } from 'react';
import { Badge, EmptyState, makeStyles, tokens } from '#core/ui';
import { DataTable, type DataColumn, type PagedRows } from '#core/ui-data';
import { useFormats, useText } from '#core/web';
import type { TrialRow } from '../../../../contract/api/tag-rules.ts';

const useStyles = makeStyles({
  truncated: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 },
  within: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  tag: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalXS, minWidth: 0 },
});

/** Table of the results of the rules. */
export const TrialTable = observer(function TrialTable({ rows }: { readonly rows: PagedRows<TrialRow> }) {
  const t = useText();
  const columns = useMemo(
    (): readonly DataColumn<TrialRow>[] => [
      {
        id: 'object',
        title: t('model-3d.mapping.object'),
        width: 'minmax(0, 1.6fr)',
        cell: ({ name, within }) => (
          <ObjectText text={name ?? t('model-3d.mapping.noObject')} detail={within.join(' › ')} />
        ),
      },
      {
        id: 'text',
        title: t('model-3d.rules.text'),
        width: 'minmax(0, 1fr)',
        cell: ({ text }) => <ObjectText text={text ?? ''} detail="" />,
      },
      { id: 'tag', title: t('model-3d.mapping.tag'), width: 'minmax(0, 1.4fr)', cell: (row) => <FoundTag row={row} /> },
    ],
    [t],
  );
  return (
    <DataTable
      label={t('model-3d.rules.trial')}
      rows={rows}
      columns={columns}
      rowHeightPx={56}
      narrow={{ belowPx: 640, rowHeightPx: 120 }}
      empty={<EmptyState title={t('model-3d.mapping.nothing')} message={t('model-3d.rules.nothingHint')} />}
    />
  );
});

function ObjectText({ text, detail }: { readonly text: string; readonly detail: string }) {
  const styles = useStyles();
  return (
    <>
      <div className={styles.truncated} title={text}>
        {text}
      </div>
      {detail === '' ? null : (
        <div className={`${styles.truncated} ${styles.within}`} title={detail}>
          {detail}
        </div>
      )}
    </>
  );
}

const FoundTag = observer(function FoundTag({ row }: { readonly row: TrialRow }) {
  const styles = useStyles();
  const t = useText();
  const formats = useFormats();
  const { tag, rule, index, exact, placed, candidates } = row;
  if (candidates.length > 0) return <ObjectText text={candidates.join(' · ')} detail={t('model-3d.rules.several')} />;
  if (rule === null) return tag === null ? null : <strong className={styles.truncated}>{tag}</strong>;
  const noTag = t(rule === 'MANUAL' ? 'model-3d.mapping.none' : 'model-3d.rules.hidden');
  const source =
    index === null
      ? t(rule === 'MANUAL' ? 'model-3d.mapping.byHand' : 'model-3d.rules.inFile')
      : t('model-3d.rules.byRule', { number: formats.number(index + 1) });
  return (
    <div className={styles.tag}>
      <span className={styles.truncated}>{tag ?? noTag}</span>
      <Badge appearance="tint" color="brand">
        {source}
      </Badge>
      {rule === 'PARENT' ? (
        <Badge appearance="tint" color="informative">
          {t('model-3d.rules.above')}
        </Badge>
      ) : exact ? null : (
        <Badge appearance="tint" color="warning">
          {t('model-3d.rules.sameLetters')}
        </Badge>
      )}
      {placed ? (
        <Badge appearance="tint" color="informative">
          {t('model-3d.rules.placed')}
        </Badge>
      ) : null}
    </div>
  );
});
