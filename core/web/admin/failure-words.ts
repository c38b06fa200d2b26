import { useText } from '../i18n/use-text.ts';
import { ApiError } from '../kernel/services.ts';

/** Words for a call that failed beside what a person was doing: offline, no access, or what the server said. */
export function useFailureWords(): (failure: unknown) => string {
  const text = useText();
  return (failure) => {
    if (!(failure instanceof ApiError)) return text('core.failed.general');
    if (failure.status === 0) return text('core.work.offline');
    if (failure.status === 403) return text('core.error.E003');
    return failure.body?.message ?? text('core.failed.general');
  };
}
