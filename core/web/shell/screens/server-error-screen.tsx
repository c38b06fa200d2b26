import { useText } from '../../i18n/use-text.ts';
import { Page } from '../../kernel/page.ts';
import { useService } from '../../kernel/use-service.ts';
import { Button } from '../../ui/base.ts';
import { FailedPicture } from '../../ui/pictures/failed-picture.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { Standalone } from '../standalone.tsx';
import { HomeButton } from './home-button.tsx';

export function ServerErrorScreen() {
  const text = useText();
  const page = useService(Page);
  return (
    <Standalone>
      <StateView
        picture={FailedPicture}
        heading="h1"
        title={text('core.serverError.title')}
        message={text('core.failed.hint')}
        action={
          <>
            <Button appearance="primary" onClick={() => page.reload()}>
              {text('core.chunk.reload')}
            </Button>
            <HomeButton primary={false} />
          </>
        }
      />
    </Standalone>
  );
}
