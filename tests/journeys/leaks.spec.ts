import { expect, test, type CDPSession, type Page } from '@playwright/test';
import { plant } from '../../cli/demo/plant/plant.ts';
import { watchGl } from '../browser/gl-watch.ts';
import { toUrl, people, signInOnPage } from './people.ts';

// The window is small, because software rendering is slow.
test.use({ viewport: { width: 640, height: 400 } });

/** Duration of the long walk between the first and the last round, which does not wait for loads. Set by `npm run soak`. */
const walkMinutes = Number(process.env['WALKDOWN_WALK_MINUTES'] ?? 0);
/** Maximum script memory after the last round, as a multiple of that after the first. */
const maxHeapGrowth = 1.1;

/**
 * Maximum number of GPU objects that are created once on first use, such as programs and meshes. A leak in the long
 * walk has hundreds of objects.
 */
const maxLazyObjects = 16;

const nodes = plant.nodes.filter(({ deck }) => deck === 'PROCESS').slice(0, walkMinutes > 0 ? 6 : 2);
const pans = walkMinutes > 0 ? [0, 90, 180, 270] : [0, 180];
const buildTourUrl = (
  { code, position }: (typeof nodes)[number],
  module: string,
  pan: number,
  besideModule?: string,
): string =>
  `/dashboard/console/tour/HB-M10?v=1&module=${module}${besideModule === undefined ? '' : `&beside=${besideModule}`}&node=${code}&pan=${pan}&tilt=0&fov=60&pos=${position.join(',')}`;

/** Navigates by the browser's history, without reloading the page. */
async function navigate(page: Page, url: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  }, url);
}

/** Waits until nothing is drawn or loading any more. */
const waitUntilQuiet = (page: Page): Promise<void> => page.evaluate(() => window.glWatch.waitUntilQuiet(6));
const waitForFrames = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (frames) => {
    for (let k = 0; k < frames; k++) await new Promise((resolve) => requestAnimationFrame(resolve));
  }, count);

const chooseMode = (page: Page, name: 'Image' | 'Point cloud') =>
  page
    .getByRole('button', { name, exact: true })
    .first()
    .evaluate((button: HTMLElement) => button.click());

/** Visits all nodes, modules and split views and leaves the tour. */
async function visitAll(page: Page, home: string, wait: () => Promise<void>): Promise<void> {
  for (const node of nodes) {
    for (const pan of pans) {
      await navigate(page, buildTourUrl(node, 'vr.module', pan, 'scan.module'));
      await wait();
    }
  }
  for (const [index, node] of nodes.entries()) {
    await navigate(page, buildTourUrl(node, 'vr.module', 45));
    await wait();
    await navigate(page, buildTourUrl(node, 'model-3d.module', 45));
    await wait();
    await navigate(page, buildTourUrl(node, 'scan.module', 45, index % 2 === 0 ? 'model-3d.module' : undefined));
    await chooseMode(page, 'Point cloud');
    await wait();
    await chooseMode(page, 'Image');
    await wait();
  }
  await navigate(page, home);
  await expect(page.getByRole('application')).toHaveCount(0);
}

/** Counts the resources that are retained after the tour was left. */
async function countRetained(
  page: Page,
  session: CDPSession,
): Promise<{
  readonly counts: Readonly<Record<string, number>>;
  readonly contexts: number;
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
}> {
  await waitUntilQuiet(page);
  for (let k = 0; k < 3; k++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { readonly usedSize: number };
  const { nodes: elements, jsEventListeners } = await session.send('Memory.getDOMCounters');
  const { counts, contexts } = await page.evaluate(() => ({
    counts: window.glWatch.countObjects(),
    contexts: window.glWatch.countContexts(),
  }));
  return { counts, contexts, heap: usedSize, nodes: elements, listeners: jsEventListeners };
}

/**
 * Measures the bytes of script objects, arrays, functions and strings. The total heap is unsuitable, because it grows
 * when the browser compiles functions. Elements and listeners are counted separately.
 */
async function measureScriptBytes(session: CDPSession): Promise<number> {
  const chunks: string[] = [];
  const addChunk = ({ chunk }: { readonly chunk: string }): void => void chunks.push(chunk);
  session.on('HeapProfiler.addHeapSnapshotChunk', addChunk);
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', addChunk);
  const { snapshot, nodes: fields } = JSON.parse(chunks.join('')) as {
    readonly snapshot: {
      readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] };
    };
    readonly nodes: readonly number[];
  };
  const {
    node_fields: names,
    node_types: [kinds],
  } = snapshot.meta;
  const [kind, size] = [names.indexOf('type'), names.indexOf('self_size')];
  let bytes = 0;
  for (let at = 0; at < fields.length; at += names.length)
    if (!['code', 'native'].includes(kinds[fields[at + kind]!]!)) bytes += fields[at + size]!;
  return bytes;
}

test(
  walkMinutes > 0
    ? `leaks no memory and no graphics objects on a walk of ${walkMinutes} minutes through viewpoints and modules`
    : 'leaks no graphics objects on a second round through viewpoints and modules',
  async ({ page, context }) => {
    test.setTimeout((walkMinutes + 15) * 60_000);
    await watchGl(page);
    await signInOnPage(page, people.admin);
    const home = new URL(page.url()).pathname;
    const session = await context.newCDPSession(page);
    await page.goto(toUrl(buildTourUrl(nodes[0]!, 'scan.module', 0).replace('/dashboard', '')));
    await expect(page.getByRole('button', { name: 'Point cloud', exact: true }).first()).toBeAttached();

    const visitAllAndCount = async () => {
      await visitAll(page, home, () => waitUntilQuiet(page));
      const retainedCounts = await countRetained(page, session);
      console.log('after a round', JSON.stringify(retainedCounts));
      return retainedCounts;
    };
    let first = await visitAllAndCount();
    // A later round may create a renderer once. A leak grows with each round.
    for (let attempt = 0; attempt < 4; attempt++) {
      const next = await visitAllAndCount();
      if (JSON.stringify(next.counts) === JSON.stringify(first.counts)) break;
      expect(attempt, 'rounds that each retained more objects').toBeLessThan(3);
      first = next;
    }
    const firstBytes = walkMinutes > 0 ? await measureScriptBytes(session) : 0;
    const end = Date.now() + walkMinutes * 60_000;
    let rounds = 0;
    while (Date.now() < end) {
      await visitAll(page, home, () => waitForFrames(page, 4));
      rounds += 1;
      console.log(`after ${rounds} more`, JSON.stringify(await countRetained(page, session)));
    }
    const last = walkMinutes > 0 ? await visitAllAndCount() : first;
    expect(first.counts.Texture, 'counted textures').toBeGreaterThan(0);
    for (const [kind, count] of Object.entries(last.counts))
      expect(count - (first.counts[kind] ?? 0), kind).toBeLessThanOrEqual(maxLazyObjects);
    expect(last.contexts).toBe(first.contexts);
    if (walkMinutes === 0) return;
    const lastBytes = await measureScriptBytes(session);
    console.log(
      `after ${rounds} rounds in ${walkMinutes} minutes, scripts use ${(lastBytes / firstBytes).toFixed(3)} of the memory that they ` +
        `used after the first round (${firstBytes} bytes), and the whole heap is ${(last.heap / first.heap).toFixed(3)} of ` +
        'its size then',
    );
    expect(lastBytes / firstBytes, 'script memory as a fraction of that after the first round').toBeLessThan(
      maxHeapGrowth,
    );
  },
);
