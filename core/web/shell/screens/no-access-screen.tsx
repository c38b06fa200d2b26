import { observer } from 'mobx-react-lite';
import { useText } from '../../i18n/use-text.ts';
import { Access, Session } from '../../kernel/services.ts';
import { useService } from '../../kernel/use-service.ts';
import type { NoAccessProps } from '../../router/app-components.ts';
import { Button } from '../../ui/base.ts';
import { NoAccessState } from '../../ui/no-access-state.tsx';
import { HomeButton } from './home-button.tsx';

/**
 * Explains what the person cannot access and how to get access, and lists their deactivated roles. A person without
 * access to the application can log out instead of going home.
 */
export const NoAccessScreen = observer(function NoAccessScreen({ area, accessToRequest }: NoAccessProps) {
  const text = useText();
  const session = useService(Session);
  const { deactivatedRoles, locations } = useService(Access).info;
  const hasNoAccess = area === 'application' && locations !== 'ALL' && locations.length === 0;
  return (
    <NoAccessState
      to={area}
      accessToRequest={accessToRequest}
      heading="h1"
      deactivatedRoles={deactivatedRoles}
      action={
        hasNoAccess ? (
          <Button onClick={() => void session.logout()}>{text('core.shell.logout')}</Button>
        ) : (
          <HomeButton />
        )
      }
    />
  );
});
