import { useAdminStyles } from './use-admin-styles.ts';

export interface FactsProps {
  readonly facts: readonly (readonly [term: string, value: string])[];
}

/** Labels and values in a line that wraps. */
export function Facts({ facts }: FactsProps) {
  const styles = useAdminStyles();
  return (
    <dl className={styles.facts}>
      {facts.map(([term, value]) => (
        <div key={term} className={styles.fact}>
          <dt className={styles.term}>{term}</dt>
          <dd className={styles.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
