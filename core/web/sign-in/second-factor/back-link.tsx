import { Link } from '@fluentui/react-components';
import { classes } from '../sign-in-classes.ts';
import { useSignIn } from '../sign-in-context.ts';
import { toMessageId } from './step-messages.ts';

/** Leads back to email and password. */
export function BackLink({ onLeave }: { readonly onLeave: () => void }) {
  const { text } = useSignIn();
  return (
    <Link as="button" type="button" className={`${classes.link} ${classes.quiet}`} onClick={onLeave}>
      {text(toMessageId('core.signIn.secondFactor.back'))}
    </Link>
  );
}
