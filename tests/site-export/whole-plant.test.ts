import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Callers, SiteTransfers } from '#core/server';
import { soakCount, type TestServer } from '#core/testing/server';
import { compareExports, readManifest } from './compare-exports.ts';
import { computeViews } from './compute-views.ts';

/** Runs only in soak runs. `round-trip.test.ts` tests the same with one deck in each run. */
describe.runIf(soakCount(0, 1) > 0)('the whole demo plant', () => {
  let folder: string;
  const servers: TestServer[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-whole-plant-'));
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (): Promise<TestServer> => {
    // Loaded lazily, because this test runs only in soak runs.
    const { startWholeProduct } = await import('./whole-product.ts');
    const server = await startWholeProduct();
    servers.push(server);
    return server;
  };
  const exportTo = (server: TestServer, name: string) =>
    server.service(SiteTransfers).exportTo(path.join(folder, name), 'HB', 'en');

  // Headings within 0.1 degrees and distances within 10 mm: see `compareExports`.
  it(
    'is equal after an export, an import into an empty product and another export',
    async () => {
      const source = await start();
      const { createDemoPlant } = await import('./whole-product.ts');
      await source.server.seed(await createDemoPlant());
      await computeViews(source);
      const exportedSite = await exportTo(source, 'first');
      const target = await start();
      const { uid } = await target.addPerson({ flags: 'all', userType: 'TENANT_ADMIN' });
      const author = { caller: (await target.service(Callers).find({ uid }))!, requestId: 'soak' };
      const importStart = performance.now();
      const report = await target.service(SiteTransfers).importFrom(path.join(folder, 'first'), author);
      const seconds = (performance.now() - importStart) / 1000;
      await computeViews(target);
      await exportTo(target, 'second');
      const differences = await compareExports(path.join(folder, 'first'), path.join(folder, 'second'));
      const { files } = await readManifest(path.join(folder, 'first'));
      process.stdout.write(
        `Exported ${exportedSite.files} files, ${(exportedSite.bytes / 1e6).toFixed(1)} MB; imported in ${seconds.toFixed(1)} s; ` +
          `compared ${files.length} files: ${differences.length} differences.\n`,
      );
      // Clouds without an upload cannot come back, which the export says.
      const missingCloudNotes = exportedSite.contents
        .flatMap(({ notes }) => notes)
        .filter(({ en }) => en.includes('has no uploaded file'));
      expect(differences.filter((difference) => !/-tiles\/.* is only in the first$/.test(difference))).toEqual([]);
      expect(differences.length > 0).toBe(missingCloudNotes.length > 0);
      expect(report.contents.flatMap(({ notes }) => notes)).toEqual([]);
      const secondReport = await target
        .service(SiteTransfers)
        .importFrom(path.join(folder, 'first'), { ...author, requestId: 'again' });
      for (const { content, counts } of secondReport.contents)
        expect({ content, ...counts }).toMatchObject({ content, added: 0, changed: 0 });
    },
    soakCount(60_000, 30 * 60_000),
  );
});
