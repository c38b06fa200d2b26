import { expect, it } from 'vitest';
import { buildZip } from '#core/testing/server';
import { openBytes } from '../byte-source.ts';
import { openEpt } from './open-ept.ts';

const description = JSON.stringify({ dataType: 'laszip', points: 3 });
const open = (hierarchy: string) =>
  openEpt(openBytes(buildZip({ 'ept.json': description, 'ept-hierarchy/0-0-0-0.json': hierarchy })));

it('[IMP-02] refuses an oversized description without parsing it', async () => {
  await expect(open(`{"0-0-0-0":1${' '.repeat(33 << 20)}}`)).rejects.toThrow(/too large: the limit is 32 MB/);
});

it('[IMP-02] refuses a hierarchy that names more nodes than the ZIP file has files', async () => {
  const nodes = Object.fromEntries([1, 2, 3].map((x) => [`1-${x}-0-0`, 1]));
  await expect(open(JSON.stringify({ ...nodes, '1-0-0-0': -1 }))).rejects.toThrow(/3 of the 3 nodes/);
});
