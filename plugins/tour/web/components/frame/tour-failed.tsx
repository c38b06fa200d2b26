import type { ReactNode } from 'react';
import { EmptyState, FailedState, NoAccessState } from '#core/ui';
import { useText } from '#core/web';
import type { TourFailure } from '#plugins/tour';

export interface TourFailedProps {
  /** `empty` means that the tour has no accessible node, `noModule` that no module is accessible. */
  readonly reason: TourFailure | 'empty' | 'noModule';
  readonly reference: string | undefined;
  readonly onRetry: () => void;
  /** Links that lead out of the tour. */
  readonly exits: ReactNode;
}

/** Shows why the tour could not be opened, with a button to retry or with `exits`. */
export function TourFailed({ reason, reference, onRetry, exits }: TourFailedProps) {
  const t = useText();
  if (reason === 'noAccess')
    return <NoAccessState heading="h1" to={{ title: t('tour.noAccess'), accessToRequest: 'anyTour' }} action={exits} />;
  if (reason === 'noModule') return <NoAccessState heading="h1" to="tools" action={exits} />;
  if (reason === 'notFound')
    return <EmptyState heading="h1" title={t('tour.none')} message={t('tour.noneHint')} action={exits} />;
  if (reason === 'empty')
    return <EmptyState heading="h1" title={t('tour.empty')} message={t('tour.emptyHint')} action={exits} />;
  const retry = { heading: 'h1', onRetry, action: exits } as const;
  if (reason === 'offline') return <FailedState {...retry} title={t('tour.offline')} message={t('tour.offlineHint')} />;
  const message = reference === undefined ? t('tour.failedHint') : t('tour.failedReference', { reference });
  return <FailedState {...retry} title={t('tour.failed')} message={message} />;
}
