import type { LocalizedError, LocalizedRefusal } from '#core';
import { workbookRefusal } from '../../contract/workbooks/errors.ts';

/** The child processes use message ids of the same catalogue, as a test verifies. */
export const toWorkbookRefusal = ({ message, values }: LocalizedError): LocalizedRefusal =>
  workbookRefusal(message as Parameters<typeof workbookRefusal>[0], values);
