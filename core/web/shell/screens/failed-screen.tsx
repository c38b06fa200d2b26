import { useText } from '../../i18n/use-text.ts';
import { ApiError } from '../../kernel/services.ts';
import type { ChunkFailedProps, FailedProps } from '../../router/app-components.ts';
import { Button } from '../../ui/base.ts';
import { FailedPicture } from '../../ui/pictures/failed-picture.tsx';
import { StateView } from '../../ui/state-view.tsx';

/** Shown instead of a screen that threw, with a retry and the reference of the log. */
export function FailedScreen({ error, reference, retry }: FailedProps) {
  const text = useText();
  const offline = error instanceof ApiError && error.status === 0;
  return (
    <StateView
      picture={FailedPicture}
      role="alert"
      title={text(offline ? 'core.failed.offline' : 'core.failed.general')}
      message={text(offline ? 'core.failed.offlineHint' : 'core.failed.hint')}
      action={
        <Button appearance="primary" onClick={retry}>
          {text('core.tryAgain')}
        </Button>
      }
      note={text('core.failed.reference', { reference })}
    />
  );
}

/**
 * Shown if code failed to load, with a retry and, if the server is reachable, a reload. Warns if a reload would lose
 * unsaved changes.
 */
export function ChunkFailedScreen({ offline, unsaved, retry, reload }: ChunkFailedProps) {
  const text = useText();
  return (
    <StateView
      picture={FailedPicture}
      role="alert"
      title={text('core.chunk.title')}
      message={text(`core.chunk.${offline ? 'offline' : unsaved ? 'unsaved' : 'hint'}`)}
      action={
        <>
          <Button appearance={offline || unsaved ? 'primary' : 'secondary'} onClick={retry}>
            {text('core.tryAgain')}
          </Button>
          {offline ? null : (
            <Button appearance={unsaved ? 'secondary' : 'primary'} onClick={reload}>
              {text('core.chunk.reload')}
            </Button>
          )}
        </>
      }
    />
  );
}
