import { useAdminStyles } from './use-admin-styles.ts';

export interface DescriptionListProps {
  readonly items: readonly (readonly [term: string, value: string])[];
}

/** Labels and values in a line that wraps. */
export function DescriptionList({ items }: DescriptionListProps) {
  const styles = useAdminStyles();
  return (
    <dl className={styles.details}>
      {items.map(([term, value]) => (
        <div key={term} className={styles.detail}>
          <dt className={styles.term}>{term}</dt>
          <dd className={styles.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
