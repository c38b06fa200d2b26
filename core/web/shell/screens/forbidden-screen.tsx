import { useText } from '../../i18n/use-text.ts';
import { NoAccessState } from '../../ui/no-access-state.tsx';
import { Standalone } from '../standalone.tsx';
import { HomeButton } from './home-button.tsx';

export function ForbiddenScreen() {
  const text = useText();
  return (
    <Standalone>
      <NoAccessState
        heading="h1"
        to={{ title: text('core.forbidden.title'), accessToRequest: 'application' }}
        action={<HomeButton />}
      />
    </Standalone>
  );
}
