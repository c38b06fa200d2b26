import { readFileSync } from 'node:fs';
import type { CDPSession } from 'playwright';
import { waitInPage } from '../../browser/waiting.ts';
import { atMost, type BenchContext, type BenchResult } from '../bench.ts';
import { processTree } from '../support/process-tree.ts';
import { runPage } from './run-page.ts';

/** Node changes before the first reading. By then the tile cache has its full size. */
const warmUp = 12;

interface Memory {
  readonly heap: number;
  readonly textures: number;
  /** Bytes of all renderer and GPU processes of the browser; 0 if the system does not report them. */
  readonly resident: number;
}

/** Growth of heap and graphics memory by 30 more node changes. */
export async function memoryAfterChanges(
  { chromium, count, say }: BenchContext,
  address: string,
): Promise<readonly BenchResult[]> {
  say('  changes of node');
  const changes = count(6, 30);
  const run = await runPage(chromium, address, 'own');
  try {
    const cdp = await run.page.context().newCDPSession(run.page);
    await cdp.send('Performance.enable');
    let textures = 0;
    const walk = async (from: number, nodes: number): Promise<void> => {
      for (let node = from; node < from + nodes; node++) {
        const shown = run.page.evaluate((id) => window.bench.goTo?.(id), `node-${node}`);
        textures = (await waitInPage(run.page, `a sharp picture after ${node} changes of node`, shown)) ?? 0;
      }
    };
    const read = async (): Promise<Memory> => ({ heap: await measureHeap(cdp), textures, resident: residentBytes() });
    await walk(0, warmUp);
    const before = await read();
    await walk(warmUp, changes);
    const after = await read();
    const growth = (part: keyof Memory) => (before[part] === 0 ? 1 : after[part] / before[part]);
    const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
    const result = (name: string, part: keyof Memory) =>
      atMost(1.1, {
        name: `panorama: ${name} after ${changes} changes of node`,
        value: growth(part),
        unit: '',
        against: `${megabytes(before[part])} before, ${megabytes(after[part])} after`,
      });
    return [
      result('heap', 'heap'),
      result('textures', 'textures'),
      ...(before.resident === 0 ? [] : [result('resident memory', 'resident')]),
    ];
  } finally {
    await run.close();
  }
}

async function measureHeap(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === 'JSHeapUsedSize')?.value ?? 0;
}

/** Resident bytes of the renderer and GPU processes below this one, on Linux. */
function residentBytes(): number {
  return [...processTree(process.pid).keys()].reduce((sum, pid) => sum + readResidentBytes(pid), 0);
}

function readResidentBytes(pid: number): number {
  try {
    if (!/--type=(renderer|gpu-process)/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))) return 0;
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    // The process has ended.
    return 0;
  }
}
