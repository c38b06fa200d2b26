import type { LocalizedError, LocalizedRefusal } from '#core';
import { importsRefusal } from '../../contract/errors.ts';

/** Converts the error of a child process, whose message ids are those of this plugin. */
export const toWorkbookRefusal = ({ message, values }: LocalizedError): LocalizedRefusal =>
  importsRefusal(message as Parameters<typeof importsRefusal>[0], values);
