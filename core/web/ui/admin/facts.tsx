import { useAdminStyles } from './use-admin-styles.ts';

/** Words and what they say, in a line that wraps. */
export function Facts({ facts }: { readonly facts: readonly (readonly [term: string, value: string])[] }) {
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
