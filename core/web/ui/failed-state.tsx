import { Button } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { toFailure, type FailureKind } from '../resource/failure.ts';
import { FailedPicture } from './pictures/failed-picture.tsx';
import { StateView } from './state-view.tsx';
import { useText } from '../i18n/use-text.ts';

export interface FailedStateProps {
  /** The thrown error, from which the default message and the log reference come. */
  readonly error?: unknown;
  /** Replaces the default title of the failure. */
  readonly title?: string;
  /** The next step for the person. */
  readonly message?: ReactNode;
  readonly onRetry?: () => void;
  /** A second action next to "Try again". */
  readonly action?: ReactNode;
  readonly heading?: 'h1' | 'h2' | 'h3';
}

const general = { title: 'core.failed.general', message: 'core.failed.hint' };
const textsByKind: Readonly<Record<FailureKind, typeof general>> = {
  offline: { title: 'core.failed.offline', message: 'core.failed.offlineHint' },
  notFound: { title: 'core.failed.notFound', message: 'core.failed.notFoundHint' },
  noAccess: general,
  failed: general,
};

/** An error state with title, next step, "Try again" and log reference. It never shows a stack trace. */
export function FailedState({ error, title, message, onRetry, action, heading }: FailedStateProps) {
  const text = useText();
  const { kind, reference } = toFailure(error);
  const texts = textsByKind[kind];
  return (
    <StateView
      picture={FailedPicture}
      role="alert"
      title={title ?? text(texts.title)}
      message={message ?? text(texts.message)}
      {...(heading === undefined ? {} : { heading })}
      {...(onRetry === undefined && action === undefined
        ? {}
        : {
            action: (
              <>
                {onRetry === undefined ? null : (
                  <Button appearance="primary" onClick={onRetry}>
                    {text('core.tryAgain')}
                  </Button>
                )}
                {action}
              </>
            ),
          })}
      {...(reference === undefined ? {} : { note: text('core.failed.reference', { reference }) })}
    />
  );
}
