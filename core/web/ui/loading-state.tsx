import { makeStyles, Spinner, tokens } from '@fluentui/react-components';
import { useText } from '../i18n/use-text.ts';
import { useDelayed } from './use-delayed.ts';

const useStyles = makeStyles({
  root: { display: 'grid', placeItems: 'center', minHeight: '240px', padding: tokens.spacingVerticalXXL },
});

export interface LoadingStateProps {
  /** Said beside the spinner; "Loading" where absent. */
  readonly label?: string;
}

/**
 * Keeps its room from the start; the spinner comes after 300 ms. Where the shape of what comes is known, take a
 * skeleton.
 */
export function LoadingState({ label }: LoadingStateProps) {
  const styles = useStyles();
  const text = useText();
  const due = useDelayed(300);
  return (
    <div className={styles.root} role="status" aria-busy="true">
      {due ? <Spinner label={label ?? text('core.loading')} labelPosition="below" /> : null}
    </div>
  );
}
