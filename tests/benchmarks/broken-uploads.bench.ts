import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { buildBrokenForm, createRandom, sendBrokenForm } from '../../core/testing/server/broken-uploads.ts';
import { waitFor } from '../browser/waiting.ts';
import { atMost, type Bench } from './bench.ts';
import { runProgram } from './support/programs.ts';

const maxCleanupMs = 10_000;

/**
 * Sends a thousand malformed uploads to a real server and checks the replies, the stored files and the memory growth.
 */
const bench: Bench = async ({ chooseCount }) => {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'walkdown-uploads-'));
  const server = await runProgram('upload-server.ts', ['address', 'token'], { WALKDOWN_DATA: dataFolder });
  try {
    const { address, token } = server.values;
    const photo = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#369' } })
      .jpeg()
      .toBuffer();
    const readMemory = async () =>
      Number(
        /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${server.child.pid}/status`, 'utf8'))?.[1] ?? Number.NaN,
      ) / 1024;
    const random = createRandom(4711);
    const statuses = new Map<number, number>();
    const uploads = chooseCount(100, 1000);
    const memoryBefore = await readMemory();
    for (let index = 0; index < uploads; index += 1) {
      const response = sendBrokenForm(`${address}/api/bench/photos`, token, buildBrokenForm(photo, index, random));
      const status = await waitFor(`the reply to upload ${index + 1}`, response);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const memoryGrowth = (await readMemory()) - memoryBefore;
    const serverErrors = [...statuses].filter(([status]) => status >= 500).reduce((sum, [, times]) => sum + times, 0);
    const against = [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, times]) => `${status === 0 ? 'cut off' : status}: ${times}`)
      .join(', ');
    return [
      atMost(0, {
        name: `${uploads} malformed uploads: replies of 5xx`,
        value: serverErrors,
        unit: 'replies',
        against,
      }),
      atMost(0, {
        name: `${uploads} malformed uploads: leftovers`,
        value: await countLeftovers(path.join(dataFolder, 'uploads')),
        unit: 'files',
        against: 'in the folder of uploads',
      }),
      ...(Number.isNaN(memoryGrowth)
        ? []
        : [
            atMost(100, {
              name: `${uploads} malformed uploads: memory`,
              value: memoryGrowth,
              unit: 'MiB',
              against: 'growth of the resident memory of the server',
            }),
          ]),
    ];
  } finally {
    await server.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
};
export default bench;

/** Counts the files in a folder. Waits for their deletion, because the last connection may just have been closed. */
async function countLeftovers(folder: string): Promise<number> {
  const countFiles = async () => (existsSync(folder) ? (await readdir(folder, { recursive: true })).length : 0);
  const deadline = performance.now() + maxCleanupMs;
  while ((await countFiles()) > 0 && performance.now() < deadline) await pause(50);
  return countFiles();
}
