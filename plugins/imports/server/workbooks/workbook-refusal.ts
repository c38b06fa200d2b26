import type { LocalizedError, LocalizedRefusal } from '#core';
import { importsRefusal } from '../../contract/errors.ts';

/** The child processes use message ids of the same catalogue. */
export const toWorkbookRefusal = ({ message, values }: LocalizedError): LocalizedRefusal =>
  importsRefusal(message as Parameters<typeof importsRefusal>[0], values);
