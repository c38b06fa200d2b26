import { expect, it } from 'vitest';
import { bytesInMemory } from '../byte-source.ts';
import { checkCopcHierarchy } from './copc-hierarchy.ts';

/** 100 bytes of points, then two pages of the hierarchy. */
const pageAt = 100;
const secondAt = pageAt + 64;

function entry(offset: number, bytes: number, points: number): Buffer {
  const out = Buffer.alloc(32);
  out.writeBigUInt64LE(BigInt(offset), 16);
  out.writeInt32LE(bytes, 24);
  out.writeInt32LE(points, 28);
  return out;
}

const file = (second: Buffer): Buffer =>
  Buffer.concat([Buffer.alloc(pageAt), entry(10, 40, 7), entry(secondAt, 32, -1), second]);

function info(offset: number, bytes: number): Buffer {
  const out = Buffer.alloc(160);
  out.writeBigUInt64LE(BigInt(offset), 40);
  out.writeBigUInt64LE(BigInt(bytes), 48);
  return out;
}

const check = (content: Buffer, count: number, start = info(pageAt, 64)): Promise<void> =>
  checkCopcHierarchy(bytesInMemory(content), start, count);

it('[IMP-02] validates the nodes of a COPC file against its header and its length', async () => {
  const whole = file(entry(50, 50, 5));
  await expect(check(whole, 12)).resolves.toBeUndefined();
  await expect(check(whole, 13)).rejects.toThrow(/leads to 12 of 13 points/);
  await expect(check(whole.subarray(0, -1), 12)).rejects.toThrow(/leads to 7 of 12 points/);
  await expect(check(whole.subarray(0, pageAt + 40), 12)).rejects.toThrow(/leads to 0 of 12/);
  await expect(check(file(entry(50, 1000, 5)), 12)).rejects.toThrow(/leads to 7 of 12/);
});

it('[IMP-02] refuses a cyclic or malformed hierarchy', async () => {
  await expect(check(file(entry(pageAt, 64, -1)), 12)).rejects.toThrow(/leads to 7 of 12/);
  for (const start of [info(0, 0), info(2 ** 50, 64), info(pageAt, 2 ** 40), Buffer.alloc(10)])
    await expect(check(file(entry(50, 50, 5)), 12, start)).rejects.toThrow(/leads to 0 of 12/);
});
