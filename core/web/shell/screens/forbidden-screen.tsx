import { useText } from '../../i18n/use-text.ts';
import { NoAccessPicture } from '../../ui/pictures/no-access-picture.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { Standalone } from '../standalone.tsx';
import { HomeButton } from './home-button.tsx';

export function ForbiddenScreen() {
  const text = useText();
  return (
    <Standalone>
      <StateView
        picture={NoAccessPicture}
        heading="h1"
        title={text('core.forbidden.title')}
        message={text('core.noAccess.request')}
        action={<HomeButton />}
      />
    </Standalone>
  );
}
