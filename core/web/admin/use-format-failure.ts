import { useFormatRefusal } from '../i18n/use-format-refusal.ts';
import { useText } from '../i18n/use-text.ts';
import { ApiError } from '../kernel/services.ts';
import { toFailure } from '../resource/failure.ts';

/** Message for a failed call: offline, the server's refusal, or the text of its error code. */
export function useFormatFailure(): (failure: unknown) => string {
  const text = useText();
  const formatRefusal = useFormatRefusal();
  return (failure) => {
    if (!(failure instanceof ApiError)) return text('core.failed.general');
    const { body } = failure;
    const { kind } = toFailure(failure);
    if (kind === 'offline') return text('core.work.offline');
    if (body?.refusal) return formatRefusal(body) ?? text('core.failed.general');
    return text(body ? `core.error.${body.code}` : kind === 'noAccess' ? 'core.error.E003' : 'core.failed.general');
  };
}
