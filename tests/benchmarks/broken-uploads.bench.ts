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
const bench: Bench = async ({ count }) => {
  const data = await mkdtemp(path.join(tmpdir(), 'walkdown-uploads-'));
  const server = await runProgram('upload-server.ts', ['address', 'token'], { WALKDOWN_DATA: data });
  try {
    const { address, token } = server.values;
    const photo = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#369' } })
      .jpeg()
      .toBuffer();
    const memory = async () =>
      Number(
        /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${server.child.pid}/status`, 'utf8'))?.[1] ?? Number.NaN,
      ) / 1024;
    const random = createRandom(4711);
    const statuses = new Map<number, number>();
    const uploads = count(100, 1000);
    const before = await memory();
    for (let index = 0; index < uploads; index += 1) {
      const sent = sendBrokenForm(`${address}/api/bench/photos`, token, buildBrokenForm(photo, index, random));
      const status = await waitFor(`the answer to upload ${index + 1}`, sent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    const grown = (await memory()) - before;
    const broken = [...statuses].filter(([status]) => status >= 500).reduce((sum, [, times]) => sum + times, 0);
    const against = [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, times]) => `${status === 0 ? 'cut off' : status}: ${times}`)
      .join(', ');
    return [
      atMost(0, { name: `${uploads} malformed uploads: answers of 5xx`, value: broken, unit: 'answers', against }),
      atMost(0, {
        name: `${uploads} malformed uploads: leftovers`,
        value: await leftovers(path.join(data, 'uploads')),
        unit: 'files',
        against: 'in the folder of uploads',
      }),
      ...(Number.isNaN(grown)
        ? []
        : [
            atMost(100, {
              name: `${uploads} malformed uploads: memory`,
              value: grown,
              unit: 'MiB',
              against: 'resident memory of the server, after against before',
            }),
          ]),
    ];
  } finally {
    await server.stop();
    await rm(data, { recursive: true, force: true });
  }
};
export default bench;

/** The last connection may have been closed a moment ago. */
async function leftovers(folder: string): Promise<number> {
  const countFiles = async () => (existsSync(folder) ? (await readdir(folder, { recursive: true })).length : 0);
  const until = performance.now() + maxCleanupMs;
  while ((await countFiles()) > 0 && performance.now() < until) await pause(50);
  return countFiles();
}
