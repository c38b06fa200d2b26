import { useMemo } from 'react';
import type { AuditLogEntry } from '#core/api';
import { useFormatRefusal } from '#core/web';
import { toActionMessage } from '../../common/action-message.ts';
import type { Difference } from '../../common/list-differences.ts';

interface EntryTexts {
  /** Formats the action. */
  readonly describe: (entry: Pick<AuditLogEntry, 'action'>) => string;
  /** Formats the name of the object, or its code if it has no name. */
  readonly formatName: (entry: Pick<AuditLogEntry, 'name' | 'subject'>) => string;
  /** Formats the field of a detail. */
  readonly formatField: (detail: Difference) => string;
  /** Formats the value of a detail, or the value after a change. */
  readonly formatValue: (detail: Difference) => string;
}

/** Formats entries in the person's language. Values without a text are shown as the server stored them. */
export function useEntryTexts(): EntryTexts {
  const format = useFormatRefusal();
  return useMemo(() => {
    const findText = (message: string, storedText: string): string =>
      format({ message: storedText, refusal: { message } }) ?? storedText;
    return {
      describe: ({ action }) => findText(toActionMessage(action), action),
      formatName: ({ name, subject }) => (name === null ? subject : findText(name, name)),
      formatField: ({ subject, field }) => (subject === '' ? findText(`audit-log.detail.${field}`, field) : field),
      formatValue: ({ subject, field, after }) =>
        subject === '' && typeof after === 'string'
          ? findText(`audit-log.detail.${field}.${after}`, after)
          : formatStored(after),
    };
  }, [format]);
}

/** Formats a value as the server stored it. */
export const formatStored = (value: unknown): string =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
