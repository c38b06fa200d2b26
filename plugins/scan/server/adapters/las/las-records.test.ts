import { expect, it } from 'vitest';
import type { ByteSource } from '../byte-source.ts';
import { readExtendedRecords } from './las-records.ts';

it('[IMP-02] limits the bytes that it reads of the records after the points', async () => {
  const content = 1 << 20;
  const step = 60 + content;
  const count = 100;
  const source: ByteSource = {
    size: count * step,
    read: async (offset, length) => {
      const bytes = Buffer.alloc(length);
      if (offset % step === 0) bytes.writeBigUInt64LE(BigInt(content), 20);
      return bytes;
    },
  };
  const records = await readExtendedRecords(source, 0, count);
  expect(records).toHaveLength(count);
  expect(records[0]?.content).toHaveLength(content);
  expect(records.reduce((sum, record) => sum + record.content.length, 0)).toBeLessThanOrEqual(16 << 20);
});
