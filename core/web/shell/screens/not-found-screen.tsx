import { useText } from '../../i18n/use-text.ts';
import { NotFoundPicture } from '../../ui/pictures/not-found-picture.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { Standalone } from '../standalone.tsx';
import { HomeButton } from './home-button.tsx';

/** The screen at `/404` and at every unknown URL. */
export function NotFoundScreen() {
  const text = useText();
  return (
    <Standalone>
      <StateView
        picture={NotFoundPicture}
        heading="h1"
        title={text('core.notFound.title')}
        message={text('core.notFound.hint')}
        action={<HomeButton />}
      />
    </Standalone>
  );
}
