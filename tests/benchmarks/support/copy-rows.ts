import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';

/** The part of pg's connection that a copy needs. */
interface CopyConnection {
  readonly stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

const chunkBytes = 64 * 1024;

/**
 * Copies rows into a new table of texts with PostgreSQL's copy protocol. Reads the rows only as fast as the database
 * accepts them.
 */
export async function copyRows(url: string, columns: number, rows: AsyncIterable<readonly unknown[]>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const names = Array.from({ length: columns }, (_, index) => `c${index}`);
    await client.query(`create table copied (${names.map((name) => `${name} text`).join(', ')})`);
    await new Promise<void>((resolve, reject) => {
      const send = async (connection: CopyConnection): Promise<void> => {
        let pendingText = '';
        for await (const cells of rows) {
          pendingText += `${names.map((_, index) => toCopyText(cells[index])).join('\t')}\n`;
          if (pendingText.length < chunkBytes) continue;
          connection.sendCopyFromChunk(Buffer.from(pendingText));
          if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
          pendingText = '';
        }
        connection.sendCopyFromChunk(Buffer.from(pendingText));
        connection.endCopyFrom();
      };
      const copy = {
        submit: (connection: CopyConnection) => connection.query('copy copied from stdin'),
        handleCopyInResponse: (connection: CopyConnection) => void send(connection).catch(reject),
        handleCommandComplete: () => undefined,
        handleReadyForQuery: () => resolve(),
        handleError: (error: Error) => reject(error),
      };
      client.query(copy as unknown as pg.Submittable);
    });
  } finally {
    await client.end();
  }
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function toCopyText(value: unknown): string {
  if (value === null || value === undefined) return '\\N';
  const text =
    value instanceof Date ? value.toISOString() : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? '');
}
