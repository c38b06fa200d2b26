import type { ReactNode } from 'react';
import { EmptyState, FailedState, NoAccessState } from '#core/ui';
import { useText } from '#core/web';
import type { TourFailure } from '#plugins/tour';

export interface TourFailedProps {
  /** `empty`: the tour has no accessible node. `noModule`: no module is accessible. */
  readonly reason: TourFailure | 'empty' | 'noModule';
  readonly reference: string | undefined;
  readonly onRetry: () => void;
  readonly home: ReactNode;
}

/** Says why no tour is shown and what to do. */
export function TourFailed({ reason, reference, onRetry, home }: TourFailedProps) {
  const t = useText();
  if (reason === 'noAccess') return <NoAccessState heading="h1" to={{ title: t('tour.noAccess') }} action={home} />;
  if (reason === 'noModule') return <NoAccessState heading="h1" to="tools" action={home} />;
  if (reason === 'notFound')
    return <EmptyState heading="h1" title={t('tour.none')} message={t('tour.noneHint')} action={home} />;
  if (reason === 'empty')
    return <EmptyState heading="h1" title={t('tour.empty')} message={t('tour.emptyHint')} action={home} />;
  const texts =
    reason === 'offline'
      ? { title: t('tour.offline'), message: t('tour.offlineHint') }
      : {
          title: t('tour.failed'),
          message: reference === undefined ? t('tour.failedHint') : t('tour.failedReference', { reference }),
        };
  return <FailedState heading="h1" {...texts} onRetry={onRetry} action={home} />;
}
