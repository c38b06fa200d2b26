import { Link } from '@fluentui/react-components';
import type { MouseEvent } from 'react';
import { useSignIn } from '../sign-in-context.ts';
import type { SignInScreen } from '../sign-in-screen.ts';
import { classes } from '../sign-in-classes.ts';
import type { MessageId } from '../sign-in-messages.ts';

export interface ScreenLinkProps {
  readonly to: SignInScreen;
  readonly messageId: MessageId;
  readonly quiet?: boolean;
}

/** A link to another sign-in screen. After hydration it changes the screen without a page load. */
export function ScreenLink({ to, messageId, quiet = false }: ScreenLinkProps) {
  const { openScreen, getScreenHref, text } = useSignIn();
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    openScreen(to);
  };
  return (
    <Link
      className={quiet ? `${classes.link} ${classes.quiet}` : classes.link}
      href={getScreenHref(to)}
      onClick={follow}
    >
      {text(messageId)}
    </Link>
  );
}
