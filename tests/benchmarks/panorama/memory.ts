import { readFileSync } from 'node:fs';
import type { CDPSession } from 'playwright';
import { waitInPage } from '../../browser/waiting.ts';
import { atMost, type BenchContext, type BenchResult } from '../bench.ts';
import { readProcessTree } from '../support/process-tree.ts';
import { runPage } from './run-page.ts';

/** Number of node changes before the first reading, after which the tile cache is full. */
const warmUpChanges = 12;

interface Memory {
  readonly heap: number;
  readonly textures: number;
  /** Bytes of all renderer and GPU processes of the browser. 0 if the system does not report them. */
  readonly resident: number;
}

/** Measures the growth of heap and graphics memory by 30 node changes. */
export async function measureMemoryGrowth(
  { chromium, chooseCount, log }: BenchContext,
  url: string,
): Promise<readonly BenchResult[]> {
  log('  changes of node');
  const changes = chooseCount(6, 30);
  const run = await runPage(chromium, url, 'own');
  try {
    const cdp = await run.page.context().newCDPSession(run.page);
    await cdp.send('Performance.enable');
    let textures = 0;
    const changeNodes = async (from: number, nodes: number): Promise<void> => {
      for (let node = from; node < from + nodes; node++) {
        const textureBytes = run.page.evaluate((id) => window.bench.goTo?.(id), `node-${node}`);
        textures = (await waitInPage(run.page, `a sharp picture after ${node} changes of node`, textureBytes)) ?? 0;
      }
    };
    const readMemory = async (): Promise<Memory> => ({
      heap: await measureHeap(cdp),
      textures,
      resident: sumResidentBytes(),
    });
    await changeNodes(0, warmUpChanges);
    const before = await readMemory();
    await changeNodes(warmUpChanges, changes);
    const after = await readMemory();
    const computeGrowth = (key: keyof Memory) => (before[key] === 0 ? 1 : after[key] / before[key]);
    const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
    const toResult = (name: string, key: keyof Memory) =>
      atMost(1.1, {
        name: `panorama: ${name} after ${changes} changes of node`,
        value: computeGrowth(key),
        unit: '',
        against: `${formatMegabytes(before[key])} before, ${formatMegabytes(after[key])} after`,
      });
    return [
      toResult('heap', 'heap'),
      toResult('textures', 'textures'),
      ...(before.resident === 0 ? [] : [toResult('resident memory', 'resident')]),
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

/** Sums up the resident bytes of the renderer and GPU processes that this process started, on Linux. */
function sumResidentBytes(): number {
  return [...readProcessTree(process.pid).keys()].reduce((sum, pid) => sum + readResidentBytes(pid), 0);
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
