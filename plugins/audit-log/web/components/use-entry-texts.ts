import { useMemo } from 'react';
import type { AuditLogEntry } from '#core/api';
import { useFormatRefusal } from '#core/web';
import { toActionMessage } from '../../common/action-message.ts';
import type { Difference } from '../../common/list-differences.ts';

interface EntryTexts {
  /** The action. */
  readonly describe: (entry: Pick<AuditLogEntry, 'action'>) => string;
  /** The name of the object, or its code if it has none. */
  readonly formatName: (entry: Pick<AuditLogEntry, 'name' | 'subject'>) => string;
  /** The field of a detail. */
  readonly formatField: (detail: Difference) => string;
  /** The value of a detail, or that after a change. */
  readonly formatValue: (detail: Difference) => string;
}

/** Formats entries in the person's language. What has no text there is shown as the server stored it. */
export function useEntryTexts(): EntryTexts {
  const format = useFormatRefusal();
  return useMemo(() => {
    const find = (message: string, storedText: string): string =>
      format({ message: storedText, refusal: { message } }) ?? storedText;
    return {
      describe: ({ action }) => find(toActionMessage(action), action),
      formatName: ({ name, subject }) => (name === null ? subject : find(name, name)),
      formatField: ({ subject, field }) => (subject === '' ? find(`audit-log.detail.${field}`, field) : field),
      formatValue: ({ subject, field, after }) =>
        subject === '' && typeof after === 'string'
          ? find(`audit-log.detail.${field}.${after}`, after)
          : formatStored(after),
    };
  }, [format]);
}

/** Formats a value as the server stored it. */
export const formatStored = (value: unknown): string =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
