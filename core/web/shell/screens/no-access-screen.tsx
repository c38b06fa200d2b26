import { observer } from 'mobx-react-lite';
import { useText } from '../../i18n/use-text.ts';
import { Access, Session } from '../../kernel/services.ts';
import { useService } from '../../kernel/use-service.ts';
import type { NoAccessProps } from '../../router/shells.ts';
import { Button } from '../../ui/base.ts';
import { NoAccessState } from '../../ui/no-access-state.tsx';
import { HomeButton } from './home-button.tsx';

/**
 * Says what the person cannot access, names deactivated roles, and says whom to ask. Without access to the application,
 * it offers logout instead of home.
 */
export const NoAccessScreen = observer(function NoAccessScreen({ subject: thing }: NoAccessProps) {
  const text = useText();
  const session = useService(Session);
  const { deactivatedRoles, locations } = useService(Access).info;
  const outside = thing === 'application' && locations !== 'ALL' && locations.length === 0;
  return (
    <NoAccessState
      to={thing}
      heading="h1"
      deactivatedRoles={deactivatedRoles}
      action={
        outside ? <Button onClick={() => void session.logout()}>{text('core.shell.logout')}</Button> : <HomeButton />
      }
    />
  );
});
