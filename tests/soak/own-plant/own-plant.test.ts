import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { soakCount } from '#core/testing/server';
import { refreshTokenInCookie, tokenTransportHeader } from '#core';
import { maxWaitMs } from '../../../core/testing/max-wait.ts';
import { browserPath, noBrowser, pictureLaunchOptions } from '../../browser/browser.ts';
import { createApiClient } from './api-client.ts';
import { compareExports } from './compare-exports.ts';
import { openCustomerFiles, type CustomerFiles } from './customer-files.ts';
import { setUpByCalls } from './set-up-by-calls.ts';
import { listSteps } from './set-up-by-screens.ts';
import { runCommand, serveEmptyProduct, type RunningProduct } from './product-commands.ts';

const isSoak = soakCount(0, 1) === 1;
const timeout = 3_600_000;

type Differences = readonly (readonly [place: RegExp, why: string])[];

/** Where the plant that was set up differs from `walkdown demo`, and why. Everything else is equal. */
const knownDifferences: Differences = [
  [/^scans\//, 'The demo has range images and points, but no file of a scanner that could be uploaded.'],
  [/-ranges\.\w+:|^panoramas\/panoramas\.json .* ranges/, 'A scanner measured them. Those of a model are computed.'],
  [/^(?:location-pictures|plans)\/[^/]+\.(?:jpg|webp):/, 'Pictures are encoded anew.'],
  [/^plans\/plans\.json .* points/, 'The demo was placed by scale and north.'],
  [/^models\/(?:.*\.glb:|models\.json .* report)/, 'The model is optimized at its upload.'],
  [/^tour\/tag-views\.csv/, 'Where tags are seen is computed from the range images.'],
];
const knownDifferencesOfScreens: Differences = [
  ...knownDifferences,
  [/^markers\//, 'Markers are drawn by clicks on panoramas, not by coordinates.'],
];

describe.runIf(isSoak)('the demo plant as a customer’s own', { timeout }, () => {
  let folder: string;
  let files: CustomerFiles;
  const inFolder = (name: string): string => path.join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'own-plant-'));
    runCommand(inFolder('demo'), 'build', '--profile', 'demo', '--out', inFolder('product'));
    runCommand(inFolder('demo'), 'demo', '--out', inFolder('product'), '--workbooks', inFolder('workbooks'));
    exportSite('demo');
    files = openCustomerFiles({ workbooks: inFolder('workbooks'), site: inFolder('demo-export') });
  }, timeout);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function exportSite(name: string): void {
    const product = inFolder('product');
    runCommand(inFolder(name), 'export', '--product', product, '--site', 'HB', '--out', inFolder(`${name}-export`));
  }

  async function setUp(
    name: string,
    allowedDifferences: Differences,
    work: (product: RunningProduct) => Promise<void>,
  ): Promise<readonly string[]> {
    const product = await serveEmptyProduct(inFolder('product'), inFolder(name));
    try {
      await work(product);
    } finally {
      await product.stop();
    }
    exportSite(name);
    return compareExports(inFolder('demo-export'), inFolder(`${name}-export`)).filter(
      (line) => !allowedDifferences.some(([place]) => place.test(line)),
    );
  }

  it('has the same export after a set-up through the API', async () => {
    const differences = await setUp('calls', knownDifferences, ({ url, admin }) =>
      setUpByCalls(createApiClient(url, admin), files),
    );
    expect(differences).toEqual([]);
  });

  it.skipIf(noBrowser !== undefined)('has the same export after a set-up through screens and imports', async () => {
    const differences = await setUp('screens', knownDifferencesOfScreens, async ({ url, admin }) => {
      const browser = await chromium.launch({ ...pictureLaunchOptions, executablePath: browserPath });
      try {
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
        await context.request.post(`${url}/auth/pub/user/login`, {
          data: admin,
          headers: { [tokenTransportHeader]: refreshTokenInCookie },
        });
        const page = await context.newPage();
        page.setDefaultTimeout(maxWaitMs);
        for (const [name, work] of listSteps(page, url, files))
          await work().catch((cause: unknown) => {
            throw new Error(`The step “${name}” cannot be done on the screens.`, { cause });
          });
      } finally {
        await browser.close();
      }
    });
    expect(differences).toEqual([]);
  });
});
