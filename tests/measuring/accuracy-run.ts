import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { launchBrowserForPictures } from '../browser/browser.ts';
import { waitInPage } from '../browser/waiting.ts';
import { tileRange } from '../../core/server/media/range-tiles.ts';
import { createPlantModel } from '../../cli/demo/model/plant-model.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import { scanPoints } from '../../cli/demo/scan/scan-points.ts';
import { projectRoot } from '../../cli/project-root.ts';
import { writeCloud } from '../../plugins/scan/server/cloud/jobs/octree/write-cloud.ts';
import { addRangeNoise } from '../../plugins/scan/server/stations/jobs/add-range-noise.ts';
import { CloudServer } from '../cloud/cloud-server.ts';
import type { MeasuringPage } from './measuring-page.ts';
import { summarizeOutcome, type Outcome } from './outcome.ts';
import type { Target, TargetSurface } from './plant-targets.ts';

declare global {
  interface Window {
    readonly measuringPage: MeasuringPage;
  }
}

export interface AccuracyOptions {
  readonly targets: readonly Target[];
  readonly size: { readonly width: number; readonly height: number };
  /** Path of the Chromium executable. */
  readonly browser: string;
  /** One standard deviation of the scanners' ranges, in metres. */
  readonly noise: number;
  /** Share of cloud points that are outliers of up to half a metre. */
  readonly outliers: number;
  readonly seed: number;
  readonly log?: (text: string) => void;
}

/** Opens a page and measures targets in it in sequence. */
export type MeasureTargets = (
  description: string,
  targets: readonly Target[],
  open: (page: Page) => Promise<void>,
) => Promise<void>;

/** Starts a browser and a server of the measuring page, runs `work` and stops both. Returns the measured outcomes. */
export async function withMeasuringPages(
  { size, browser: executablePath }: Pick<AccuracyOptions, 'size' | 'browser'>,
  work: (measure: MeasureTargets, server: CloudServer) => Promise<void>,
): Promise<readonly Outcome[]> {
  const server = await new CloudServer(path.join(import.meta.dirname, 'measuring-page.ts')).start();
  const browser = await launchBrowserForPictures(executablePath);
  const outcomes: Outcome[] = [];
  const measure: MeasureTargets = async (description, targets, open) => {
    if (targets.length === 0) return;
    // Clicks and rays use CSS pixels, so a low resolution is enough.
    const page = await browser.newPage({ viewport: size, deviceScaleFactor: 0.25 });
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    await waitInPage(page, 'the page', page.goto(server.url, { timeout: 0 }));
    await waitInPage(page, `${description} to open`, open(page));
    for (const target of targets) outcomes.push(await measureOne(page, target));
    await page.close();
    if (problems.length > 0) throw new Error(problems.join('\n'));
  };
  try {
    await work(measure, server);
    return outcomes;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/**
 * Measures targets in the product's viewers in a browser: panoramas with noisy ranges, a noisy cloud made by the
 * importer, panoramas without ranges in front of that cloud, and the demo's model.
 */
export async function measureTargets({
  targets,
  size,
  browser,
  noise,
  outliers,
  seed,
  log = () => undefined,
}: AccuracyOptions): Promise<readonly Outcome[]> {
  const listTargets = (surface: TargetSurface): readonly Target[] =>
    targets.filter((target) => target.surface === surface);
  return withMeasuringPages({ size, browser }, async (measure, server) => {
    for (const node of new Set(listTargets('bubble').map((target) => target.node))) {
      log(`  ranges of ${node}`);
      const picture = await serveBubble(server, node, noise, seed);
      await measure(
        `the bubble of ${node}`,
        listTargets('bubble').filter((target) => target.node === node),
        (page) => page.evaluate((shownPicture) => window.measuringPage.openBubble(shownPicture), picture),
      );
    }
    if (listTargets('cloud').length + listTargets('panorama').length > 0) {
      log('  a cloud');
      await serveCloud(server, { noise, outliers, seed });
    }
    for (const node of new Set(listTargets('panorama').map((target) => target.node))) {
      log(`  a panorama of ${node}`);
      const { ranges: _, ...picture } = await serveBubble(server, node, noise, seed);
      await measure(
        `the panorama of ${node}`,
        listTargets('panorama').filter((target) => target.node === node),
        (page) => page.evaluate((shownPicture) => window.measuringPage.openPanorama(shownPicture, '/cloud'), picture),
      );
    }
    if (listTargets('cloud').length > 0) {
      await measure('the cloud', listTargets('cloud'), (page) =>
        page.evaluate(() => window.measuringPage.openCloud('/cloud')),
      );
    }
    if (listTargets('model').length > 0) {
      log('  the model');
      const { file } = await createPlantModel(plant).make();
      server.files.set('model.glb', await readFile(file.path));
      await measure('the model', listTargets('model'), (page) =>
        page.evaluate(() => window.measuringPage.openModel('/model.glb')),
      );
    }
  });
}

async function measureOne(page: Page, target: Target): Promise<Outcome> {
  const points = target.points.map(({ look: { eye, pan, tilt, fov }, clicks }) => ({
    look: { position: eye, pan, tilt, fov },
    clicks,
  }));
  const measuring = page.evaluate(([kind, targets]) => window.measuringPage.measure(kind, targets), [
    target.kind,
    points,
  ] as const);
  const description = `the ${target.kind.toLowerCase()} in the ${target.surface} from ${target.node}`;
  return summarizeOutcome(target, await waitInPage(page, description, measuring));
}

/** Serves a panorama with a grey image and the node's ranges with noise. */
async function serveBubble(server: CloudServer, code: string, noise: number, seed: number) {
  const node = plant.nodes.find((candidate) => candidate.code === code);
  if (!node) throw new Error(`The demo plant has no node ${code}.`);
  const ranges = await tileRange(
    await addRangeNoise(
      path.join(projectRoot, 'cli/demo/rendered/range', `${code}.webp`),
      noise,
      seed * 100 + plant.nodes.indexOf(node),
    ),
  );
  for await (const { path: name, content } of ranges.entries)
    server.files.set(`${code}/${name}`, Buffer.from(content as Uint8Array));
  const grey = await sharp({ create: { width: 512, height: 512, channels: 3, background: '#808080' } })
    .jpeg()
    .toBuffer();
  for (const name of ['preview.jpg', '0/0_0.jpg', '0/1_0.jpg']) server.files.set(`${code}/${name}`, grey);
  const { width, height, tileSize } = ranges.description;
  return {
    tiles: {
      id: code,
      address: `/${code}`,
      tileSize: 512,
      levels: [{ width: 1024, height: 512, columns: 2, rows: 1 }],
      mesh: false,
    },
    ranges: { id: code, address: `/${code}`, width, height, tileSize, sigma: noise },
    heading: node.heading,
    position: node.position,
  };
}

async function serveCloud(
  server: CloudServer,
  options: { readonly noise: number; readonly outliers: number; readonly seed: number },
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-measuring-'));
  try {
    for await (const entry of writeCloud(scanPoints(options), { folder }))
      server.files.set(`cloud/${entry.path}`, entry.content);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
