import type { IncomingMessage } from 'node:http';

/** Whether a request carries a body, as its headers say. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** A message can be complete while a part of it still waits to be read. */
export const isBodyRead = ({ complete, readableLength }: IncomingMessage): boolean => complete && readableLength === 0;
