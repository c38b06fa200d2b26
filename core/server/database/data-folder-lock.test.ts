import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { killAndWait, waitForMessage, buildNodeProgram, type NodeProgram } from '#core/testing/server';
import { DataFolderLock } from './data-folder-lock.ts';
import { getPidNamespace, readStartTime } from './process-identity.ts';

type AcquireResult = { readonly got: true } | { readonly refused: string };

describe('DataFolderLock', () => {
  let program: NodeProgram;
  let folder: string;
  let lock: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    program = await buildNodeProgram(`
      import { DataFolderLock } from './core/server/database/data-folder-lock.ts';
      setInterval(() => undefined, 1000);
      process.on('message', async () => {
        try { await DataFolderLock.acquire(process.env.FOLDER); process.send({ got: true }); }
        catch (error) { process.send({ refused: error.message }); }
      });
      process.send({ ready: true });
    `);
  });
  afterAll(() => program.remove());
  beforeEach(() => {
    const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-lock-'));
    folder = path.join(parent, 'database');
    lock = `${folder}.lock`;
  });
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => killAndWait(child)));
    fs.rmSync(path.dirname(folder), { recursive: true, force: true });
  });

  async function startProcess(): Promise<ChildProcess> {
    const child = program.run({ FOLDER: folder });
    children.push(child);
    await waitForMessage(child);
    return child;
  }
  function acquire(child: ChildProcess): Promise<AcquireResult> {
    const result = waitForMessage<AcquireResult>(child);
    child.send('acquire');
    return result;
  }

  it('refuses a second process with a message that names the first', async () => {
    const [first, second] = await Promise.all([startProcess(), startProcess()]);
    expect(await acquire(first)).toEqual({ got: true });
    expect(await acquire(second)).toEqual({
      refused: expect.stringContaining(`The data folder ${folder} is in use by the process ${first.pid}.`),
    });
    expect(fs.existsSync(`${lock}`)).toBe(true);
  });

  it('acquires a lock after its holder released it or was killed', async () => {
    const ownLock = await DataFolderLock.acquire(folder);
    await expect(DataFolderLock.acquire(folder)).rejects.toThrow('by this very process');
    ownLock.release();
    const child = await startProcess();
    expect(await acquire(child)).toEqual({ got: true });
    await killAndWait(child);
    const nextLock = await DataFolderLock.acquire(folder);
    nextLock.release();
    expect(fs.readdirSync(path.dirname(folder))).toEqual([]);
  });

  it('gives the lock of a dead holder to one candidate only', async () => {
    const deadHolder = await startProcess();
    await acquire(deadHolder);
    await killAndWait(deadHolder);
    const candidates = await Promise.all(Array.from({ length: 6 }, () => startProcess()));
    const results = await Promise.all(candidates.map(acquire));
    expect(results.filter((result) => 'got' in result)).toHaveLength(1);
    expect(fs.readdirSync(path.dirname(folder))).toEqual(['database.lock']);
  });

  it('recognises another process with the same pid by its start time', async () => {
    fs.writeFileSync(
      lock,
      JSON.stringify({ pid: process.pid, startTime: '1', place: getPidNamespace(), nonce: 'old' }),
    );
    const ownLock = await DataFolderLock.acquire(folder);
    ownLock.release();
  });

  it('treats a zombie as dead', async () => {
    expect(readStartTime(process.pid)).toMatch(/^\d+$/);
    const parent = await buildNodeProgram(`
      import { spawn } from 'node:child_process';
      const child = spawn('sleep', ['0']);
      process.send({ pid: child.pid });
      // Blocks for ever, so that the child is never reaped.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    `);
    const child = parent.run();
    children.push(child);
    const { pid } = await waitForMessage<{ readonly pid: number }>(child);
    await expect.poll(() => fs.readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z');
    expect(readStartTime(pid)).toBeUndefined();
    parent.remove();
  });

  it('recovers from a process that was killed while it took the lock over', async () => {
    const deadHolder = { pid: 2 ** 22 + 1, startTime: '1', place: getPidNamespace() };
    fs.writeFileSync(lock, JSON.stringify({ ...deadHolder, nonce: 'first' }));
    fs.writeFileSync(`${lock}.after-first`, JSON.stringify({ ...deadHolder, nonce: 'second' }));
    const ownLock = await DataFolderLock.acquire(folder);
    expect(fs.readdirSync(path.dirname(folder))).toEqual(['database.lock']);
    ownLock.release();
  });

  it('refuses a lock whose holder in another container is alive', async () => {
    fs.writeFileSync(lock, JSON.stringify({ pid: 1, startTime: '1', place: 'elsewhere', nonce: 'x' }));
    const heartbeat = setInterval(() => fs.utimesSync(lock, new Date(), new Date()), 200);
    await expect(DataFolderLock.acquire(folder)).rejects.toThrow(
      'by the process 1 in another container or on another machine',
    );
    clearInterval(heartbeat);
  });

  it('explains how to remove a damaged lock', async () => {
    fs.writeFileSync(lock, 'not a lock');
    await expect(DataFolderLock.acquire(folder)).rejects.toThrow('remove this file');
  });
});
