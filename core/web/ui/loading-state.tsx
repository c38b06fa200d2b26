import { makeStyles, Spinner, tokens } from '@fluentui/react-components';
import { useText } from '../i18n/use-text.ts';
import { useDelayed } from './use-delayed.ts';

const useStyles = makeStyles({
  root: { display: 'grid', placeItems: 'center', minHeight: '240px', padding: tokens.spacingVerticalXXL },
});

export interface LoadingStateProps {
  /** Label of the spinner, by default "Loading". */
  readonly label?: string;
}

/**
 * Reserves its height at once and shows a spinner after 300 ms. Use a skeleton if the shape of the content is known.
 */
export function LoadingState({ label }: LoadingStateProps) {
  const styles = useStyles();
  const text = useText();
  const spinnerVisible = useDelayed(300);
  return (
    <div className={styles.root} role="status" aria-busy="true">
      {spinnerVisible ? <Spinner label={label ?? text('core.loading')} labelPosition="below" /> : null}
    </div>
  );
}
