import { useCallback } from 'react';
import type { AuditLogEntry } from '#core/api';
import { useFormatRefusal } from '#core/web';
import { toActionMessage } from '../../common/action-message.ts';

/** Formats the action of an entry. An action without a text is shown as it is. */
export function useDescribeEntry(): (entry: Pick<AuditLogEntry, 'action'>) => string {
  const format = useFormatRefusal();
  return useCallback(
    ({ action }) => format({ message: action, refusal: { message: toActionMessage(action) } }) ?? action,
    [format],
  );
}
