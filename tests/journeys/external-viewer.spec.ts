import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { serveWeb } from '../builds/serve-web.ts';
import { FaultyProxy } from './faulty-proxy.ts';
import { getJourneyOrigin, people, signIn } from './people.ts';
import { buildProduct } from './serve-demo.ts';
import { startViewerService, type ViewerService } from './viewer-service.ts';

let folder: string;
let service: ViewerService;
let proxy: FaultyProxy;
let webServer: Awaited<ReturnType<typeof serveWeb>>;

test.beforeAll(async () => {
  const dist = path.resolve(import.meta.dirname, '..', '..', 'dist');
  await mkdir(dist, { recursive: true });
  folder = await mkdtemp(path.join(dist, 'external-viewer-'));
  service = await startViewerService();
  proxy = await FaultyProxy.startFor(getJourneyOrigin());
  const { origin } = service;
  const external = {
    script: `${origin}/7/viewer3D.min.js`,
    styles: `${origin}/7/style.min.css`,
    service: origin,
    token: `${origin}/token`,
    urns: { 'HB-M10': 'dXJu' },
  };
  const profile = path.join(folder, 'with-viewer.json');
  await writeFile(
    profile,
    JSON.stringify({ extends: 'demo', plugins: { 'model-3d': { engine: 'external', external } } }),
  );
  buildProduct(profile, path.join(folder, 'product'));
  webServer = await serveWeb(path.join(folder, 'product'));
});
test.afterAll(async () => {
  await proxy.close();
  await webServer.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test("[TOUR-13] runs the external viewer under the page's content security policy", async ({ page }) => {
  const consoleErrors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()));
  // Pages come from the product with the viewer, and API calls go to the demo. The service accepts any token.
  proxy.divertPath(/^\/dashboard\//, webServer.origin);
  await page.route(/\/viewer-token$/, (route) => route.fulfill({ json: { token: 'T1', expiresInSeconds: 3_599 } }));
  await signIn(page, people.admin, proxy.url);
  await page.goto(
    `${proxy.url}/dashboard/console/tour/HB-M10?v=1&module=model-3d.module&node=HB-P09&pan=15&tilt=3&fov=60&pos=-11.8,4,1.7`,
  );

  const canvas = page.locator('canvas.stand-in-viewer');
  await expect(canvas).toHaveAttribute('data-worker', 'works');
  await expect(canvas).toHaveAttribute('data-eye', '-11.8 4 1.7');
  await expect(canvas).toHaveCSS('outline-color', 'rgb(1, 2, 3)');
  expect(service.requests).toContainEqual({ path: '/models/dXJu', token: 'Bearer T1' });

  await page.getByRole('button', { name: 'Snapshot', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Take a snapshot' }).click();
  await expect(
    page.getByRole('dialog', { name: 'Take a snapshot' }).getByRole('img', { name: 'Preview' }),
  ).toBeVisible();
  expect(consoleErrors.filter((message) => /content security policy/i.test(message))).toEqual([]);
});
