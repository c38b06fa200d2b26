import type { IncomingMessage } from 'node:http';

/** Whether the headers announce a body. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** A message can be complete while a part of it is still unread. */
export const isBodyRead = ({ complete, readableLength }: IncomingMessage): boolean => complete && readableLength === 0;
