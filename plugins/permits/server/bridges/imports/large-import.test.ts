import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enabledPlugin, Jobs, LocationStore } from '#core/server';
import { buildBridge, describeOnDatabases, soakCount, startTestServer, type TestServer } from '#core/testing/server';
import { applyImport, createImport, getImport, undoImport } from '#plugins/imports/api';
import { imports, importsManifest } from '#plugins/imports/testing/server';
import { tour, tourManifest } from '#plugins/tour/testing/server';
import manifest from '../../../plugin.ts';
import permits from '../../index.ts';
import permitsImports from '../imports.ts';

/** The soak imports as many permits as a sheet may have. */
const size = soakCount(40, 100_000);
const timeout = soakCount(60_000, 30 * 60_000);

describeOnDatabases(`an import of ${size} permits`, (kind) => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [
        enabledPlugin(importsManifest, { endSessions: false }, imports),
        enabledPlugin(tourManifest, {}, tour),
        enabledPlugin(manifest, {}, permits),
      ],
      bridges: [buildBridge('permits', 'imports', permitsImports)],
    });
    await server
      .service(LocationStore)
      .upsert([{ uid: 'site', parent: null, root: 'site', locationType: 'PRIMARY_LOCATION', name: 'Site', label: '' }]);
    token = await server.signIn({ flags: ['import', 'permitAccess'] });
  });
  afterAll(() => server.close());

  /** Uploads a permit and an assignee for each number, and returns the preview. */
  const upload = async (stage: string) => {
    const { uid } = (
      await server.call(createImport, {
        token,
        body: { uid: randomUUID(), kind: 'permits.permits', site: 'site', mode: 'UPSERT' },
      })
    ).body;
    const numbers = Array.from({ length: size }, (_, index) => `PTW-${index}`);
    const lines = {
      Permits: [
        'number,name,description,type,stage,validFrom,validTo,location,map,x,y,workRadius,tags,workOrder',
        ...numbers.map(
          (number, index) =>
            `${number},Job ${number},Replace the gasket of flange ${index},hot_work_permit,${stage},2126-01-01 06:00,2126-01-02 06:00,site,site,${index % 100},50,11,V-${index % 500};P-${index % 50},WO-${index}`,
        ),
      ],
      Assignees: ['permit,role,name,company', ...numbers.map((number) => `${number},AREA_AUTHORITY,Ragnhild Dahl,Co`)],
    };
    const form = new FormData();
    for (const [name, rows] of Object.entries(lines)) form.append('files', new Blob([rows.join('\n')]), `${name}.csv`);
    const url = `${await server.url()}/api/imports/${uid}/files`;
    const reply = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form });
    await server.service(Jobs).waitForCompletion(((await reply.json()) as { job: string }).job);
    return (await server.call(getImport, { token, params: { batch: uid } })).body;
  };
  const apply = async ({ uid: batch, version }: { readonly uid: string; readonly version: number }) => {
    const { body } = await server.call(applyImport, {
      token,
      params: { batch },
      body: { version, remove: false, backup: false },
    });
    if (body.job !== null) await server.service(Jobs).waitForCompletion(body.job);
    return (await server.call(getImport, { token, params: { batch } })).body;
  };

  it('is checked, applied, changed and undone', { timeout }, async () => {
    const seconds: string[] = [];
    const measure = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
      const start = performance.now();
      const result = await run();
      seconds.push(`${name} ${((performance.now() - start) / 1000).toFixed(1)} s`);
      return result;
    };
    const addedBatch = await measure('check new', () => upload('ISSUE'));
    expect(addedBatch.refusal).toBeNull();
    expect(addedBatch).toMatchObject({
      phase: 'PREVIEW',
      sheets: [{ added: size, withErrors: 0 }, { added: size }, {}, {}, {}, {}, {}],
    });
    expect(await measure('apply new', () => apply(addedBatch))).toMatchObject({ phase: 'DONE' });
    const changedBatch = await measure('check changed', () => upload('ACCEPT'));
    expect(changedBatch.sheets.slice(0, 2)).toMatchObject([{ changed: size }, { unchanged: size }]);
    expect(await measure('apply changed', () => apply(changedBatch))).toMatchObject({ phase: 'DONE' });
    const undone = await measure('undo', () =>
      server.call(undoImport, { token, params: { batch: changedBatch.uid }, body: { dryRun: false } }),
    );
    expect(undone.body).toMatchObject({ reversed: size, kept: 0, blocked: 0 });
    if (size > 1000) process.stdout.write(`${kind}, ${size} permits: ${seconds.join(', ')}\n`);
  });
});
