import { makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components';
import { useText } from '../i18n/use-text.ts';

const useStyles = makeStyles({
  cards: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(280px, 100%), 1fr))',
    gap: tokens.spacingHorizontalL,
  },
  card: { display: 'grid', gap: tokens.spacingVerticalS },
  rows: { display: 'grid', gap: tokens.spacingVerticalM },
  row: { display: 'grid', gridTemplateColumns: '32px 1fr 96px', gap: tokens.spacingHorizontalM, alignItems: 'center' },
  panel: { display: 'grid', gap: tokens.spacingVerticalM, padding: tokens.spacingHorizontalL },
});

function listIndices(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Placeholder for a grid of cards with images (200 px high), such as the sites of the home screen. */
export function CardsSkeleton({ count = 6 }: { readonly count?: number }) {
  const styles = useStyles();
  const text = useText();
  return (
    <Skeleton aria-label={text('core.loading')} className={styles.cards}>
      {listIndices(count).map((index) => (
        <div key={index} className={styles.card}>
          <SkeletonItem size={128} />
          <SkeletonItem size={20} style={{ width: '60%' }} />
          <SkeletonItem size={12} style={{ width: '40%' }} />
        </div>
      ))}
    </Skeleton>
  );
}

/** Placeholder for the rows of a list. */
export function ListSkeleton({ count = 8 }: { readonly count?: number }) {
  const styles = useStyles();
  const text = useText();
  return (
    <Skeleton aria-label={text('core.loading')} className={styles.rows}>
      {listIndices(count).map((index) => (
        <div key={index} className={styles.row}>
          <SkeletonItem shape="circle" size={32} />
          <SkeletonItem size={16} />
          <SkeletonItem size={16} />
        </div>
      ))}
    </Skeleton>
  );
}

/** Placeholder for a panel with a heading and lines of text. */
export function PanelSkeleton({ lines = 5 }: { readonly lines?: number }) {
  const styles = useStyles();
  const text = useText();
  return (
    <Skeleton aria-label={text('core.loading')} className={styles.panel}>
      <SkeletonItem size={28} style={{ width: '70%' }} />
      {listIndices(lines).map((index) => (
        <SkeletonItem key={index} size={16} style={{ width: index % 2 === 0 ? '100%' : '80%' }} />
      ))}
    </Skeleton>
  );
}
