import type { IncomingMessage } from 'node:http';

/** Whether the headers announce a body. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Whether a body was received and read. A complete message may still have unread bytes. */
export const isBodyRead = ({ complete, readableLength }: IncomingMessage): boolean => complete && readableLength === 0;
