import { expect, it } from 'vitest';
import { openBytes } from '../byte-source.ts';
import { assertCopcHierarchy } from './copc-hierarchy.ts';

// The file has 100 bytes of points and then two pages of the hierarchy.
const firstPageOffset = 100;
const secondPageOffset = firstPageOffset + 64;

function buildEntry(offset: number, bytes: number, points: number): Buffer {
  const out = Buffer.alloc(32);
  out.writeBigUInt64LE(BigInt(offset), 16);
  out.writeInt32LE(bytes, 24);
  out.writeInt32LE(points, 28);
  return out;
}

const buildFile = (secondPage: Buffer): Buffer =>
  Buffer.concat([
    Buffer.alloc(firstPageOffset),
    buildEntry(10, 40, 7),
    buildEntry(secondPageOffset, 32, -1),
    secondPage,
  ]);

function buildInfo(offset: number, bytes: number): Buffer {
  const out = Buffer.alloc(160);
  out.writeBigUInt64LE(BigInt(offset), 40);
  out.writeBigUInt64LE(BigInt(bytes), 48);
  return out;
}

const check = (content: Buffer, count: number, start = buildInfo(firstPageOffset, 64)): Promise<void> =>
  assertCopcHierarchy(openBytes(content), start, count);

it('[IMP-02] validates the nodes of a COPC file against its header and its length', async () => {
  const content = buildFile(buildEntry(50, 50, 5));
  await expect(check(content, 12)).resolves.toBeUndefined();
  await expect(check(content, 13)).rejects.toThrow(/leads to 12 of 13 points/);
  await expect(check(content.subarray(0, -1), 12)).rejects.toThrow(/leads to 7 of 12 points/);
  await expect(check(content.subarray(0, firstPageOffset + 40), 12)).rejects.toThrow(/leads to 0 of 12/);
  await expect(check(buildFile(buildEntry(50, 1000, 5)), 12)).rejects.toThrow(/leads to 7 of 12/);
});

it('[IMP-02] refuses a cyclic or malformed hierarchy', async () => {
  await expect(check(buildFile(buildEntry(firstPageOffset, 64, -1)), 12)).rejects.toThrow(/leads to 7 of 12/);
  for (const start of [buildInfo(0, 0), buildInfo(2 ** 50, 64), buildInfo(firstPageOffset, 2 ** 40), Buffer.alloc(10)])
    await expect(check(buildFile(buildEntry(50, 50, 5)), 12, start)).rejects.toThrow(/leads to 0 of 12/);
});
