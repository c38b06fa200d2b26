import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { DatabaseUnavailableError, DatabaseFullError } from '../kernel/database-error.ts';
import { FileStore } from './file-store.ts';
import { removeOnFailure } from './remove-on-failure.ts';
import { StoredFiles } from './stored-files.ts';

describeOnDatabases('removeOnFailure', (kind) => {
  let server: TestServer;
  let files: FileStore;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
    files = server.service(FileStore);
  });
  afterAll(() => server.close());

  const put = async (): Promise<string> =>
    (
      await files.put(
        { name: 'a', mediaType: 'application/octet-stream', audience: { kind: 'signedIn' } },
        Buffer.from('bytes'),
      )
    ).id;
  const failWith = (error: Error) => async (): Promise<never> => {
    throw error;
  };

  it('removes the files and rethrows the error, even if the database is full', async () => {
    for (const error of [new Error('It failed.'), new DatabaseFullError('The disk is full.')]) {
      const ids = [await put(), await put()];
      await expect(removeOnFailure(files, ids, failWith(error))).rejects.toBe(error);
      for (const id of ids) expect(await files.find(id)).toBeUndefined();
    }
  });

  it('keeps the files if the work succeeded or its outcome is unknown', async () => {
    const id = await put();
    expect(await removeOnFailure(files, [id], async () => 7)).toBe(7);
    const connectionError = new DatabaseUnavailableError('The connection was lost.');
    await expect(removeOnFailure(files, [id], failWith(connectionError))).rejects.toBe(connectionError);
    expect(await files.find(id)).toBeDefined();
  });

  it('leaves the files to the next cleanup if the database cannot record the removal', async () => {
    const id = await put();
    const error = new Error('It failed.');
    const { database } = server;
    await database.query('alter table core.file rename to file_away');
    await expect(removeOnFailure(files, [id], failWith(error))).rejects.toBe(error);
    await database.query('alter table core.file_away rename to file');
    expect(await files.find(id)).toBeDefined();
    expect(files).toBeInstanceOf(StoredFiles);
    await (files as StoredFiles).cleanUp(false);
    expect(await files.find(id)).toBeUndefined();
  });
});
