import { observer } from 'mobx-react-lite';
import { Badge, Button, makeStyles, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { AlignmentEditor } from '../../stores/alignment/alignment-editor.ts';
import type { SiteLengthFormats } from '../../stores/site-lengths.ts';

const useStyles = makeStyles({
  list: { margin: 0, padding: 0, listStyleType: 'none', display: 'grid' },
  tie: {
    display: 'grid',
    gridTemplateColumns: '28px minmax(0, 1fr) auto auto',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalM,
    minHeight: '44px',
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    fontVariantNumeric: 'tabular-nums',
  },
  residual: { display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: tokens.spacingHorizontalXS },
  position: { overflowWrap: 'anywhere', color: tokens.colorNeutralForeground2 },
  outlier: { color: tokens.colorStatusDangerForeground1, fontWeight: tokens.fontWeightSemibold },
});

export interface TieListProps {
  readonly editor: AlignmentEditor;
  readonly lengths: SiteLengthFormats;
}

/** The ties with their residuals, and the instruction for the next mark. */
export const TieList = observer(function TieList({ editor, lengths }: TieListProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const { ties, fit, direction: pendingDirection, point: pendingPoint, hasMaxTies } = editor;
  const instructionId = hasMaxTies
    ? 'tour.align.full'
    : pendingDirection
      ? 'tour.align.nextSite'
      : pendingPoint
        ? 'tour.align.nextPicture'
        : ties.length === 0
          ? 'tour.align.first'
          : 'tour.align.next';
  return (
    <section className={adminStyles.form} aria-labelledby="align-ties">
      <div className={adminStyles.head}>
        <h2 id="align-ties" className={adminStyles.name}>
          {t('tour.align.ties', { count: ties.length })}
        </h2>
        <p className={adminStyles.note} role="status">
          {t(instructionId)}
        </p>
        {pendingDirection || pendingPoint ? (
          <Button size="small" onClick={() => editor.clearMarks()}>
            {t('tour.align.clearMark')}
          </Button>
        ) : null}
      </div>
      <ol className={styles.list}>
        {ties.map(({ id, point: position }, index) => {
          const isOutlier = fit?.outliers[index] === true;
          const residual = fit?.residuals[index];
          return (
            <li key={id} className={styles.tie}>
              <strong>{index + 1}</strong>
              <span className={styles.position}>
                {t('tour.align.place', {
                  east: lengths.coordinate(position[0]),
                  north: lengths.coordinate(position[1]),
                  up: lengths.coordinate(position[2]),
                  unit: lengths.symbol,
                })}
              </span>
              <span className={styles.residual}>
                {residual === undefined ? null : (
                  <span className={isOutlier ? styles.outlier : undefined}>
                    {t('tour.align.degrees', { value: residual })}
                  </span>
                )}
                {isOutlier ? <Badge color="danger">{t('tour.align.rejected')}</Badge> : null}
              </span>
              <Button
                size="small"
                aria-label={t('tour.align.removeTie', { number: index + 1 })}
                onClick={() => editor.removeTie(id)}
              >
                {t('tour.align.remove')}
              </Button>
            </li>
          );
        })}
      </ol>
    </section>
  );
});
