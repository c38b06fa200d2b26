import { useText } from '../../i18n/use-text.ts';
import { Session } from '../../kernel/services.ts';
import { useService } from '../../kernel/use-service.ts';
import { Button } from '../../ui/base.ts';
import { InactivePicture } from '../../ui/pictures/inactive-picture.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { Standalone } from '../standalone.tsx';

/** Explains that the account is inactive. "Back to login" logs out and thereby opens the login page. */
export function AccountDeactivateScreen() {
  const text = useText();
  const session = useService(Session);
  return (
    <Standalone>
      <StateView
        picture={InactivePicture}
        heading="h1"
        title={text('core.accountDeactivate.title')}
        message={text('core.accountDeactivate.hint')}
        action={
          <Button appearance="primary" onClick={() => void session.logout({ error: 'userData' })}>
            {text('core.accountDeactivate.back')}
          </Button>
        }
      />
    </Standalone>
  );
}
