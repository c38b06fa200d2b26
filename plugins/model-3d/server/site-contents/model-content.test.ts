import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  Callers,
  enabledPlugin,
  LocationStore,
  SiteContents,
  type ImportedCounts,
  type ImportedFile,
  type SiteContent,
  type SiteImport,
} from '#core/server';
import { describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import { SiteSurfaces } from '#plugins/tour';
import { tour, tourManifest } from '#plugins/tour/testing/server';
import manifest from '../../plugin.ts';
import { buildBoxesGlb } from '../../testing/server/box-model.ts';
import model3d from '../index.ts';
import type { ModelTables } from '../tables.ts';
import type { ExportedModel } from './model-record.ts';

describeOnDatabases('exports and imports of models', (database) => {
  let server: TestServer;
  let folder: string;
  let content: SiteContent;
  let author: SiteImport['author'];
  const files = new Map<string, ImportedFile>();
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-model-content-'));
    for (const boxes of [1, 2, 3]) {
      const name = `${boxes}.glb`;
      const bytes = await buildBoxesGlb(boxes);
      await writeFile(path.join(folder, name), bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      files.set(name, { name, path: path.join(folder, name), bytes: bytes.length, sha256 });
    }
    server = await startTestServer({
      database,
      plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(manifest, { engine: 'builtin' }, model3d)],
    });
    const site = { label: 'Site', name: 'Site', parent: null, locationType: 'PRIMARY_LOCATION' } as const;
    await server.service(LocationStore).upsert([{ ...site, uid: 'site', root: 'site' }]);
    content = server
      .service(SiteContents)
      .list()
      .find(({ key }) => key === 'model-3d.models')!;
    const { uid } = await server.addPerson({ flags: 'all' });
    author = { caller: (await server.service(Callers).find({ uid }))!, requestId: 'test' };
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const importModels = (models: readonly ExportedModel[]): Promise<ImportedCounts> =>
    content.import({
      site: 'site',
      author,
      signal: new AbortController().signal,
      files: [...files.values()],
      requireFile: (name) => files.get(name)!,
      read: () => Promise.resolve(models as never),
      dryRun: false,
      advance: () => Promise.resolve(),
      note: () => undefined,
    });
  const listNamesWithObjectCounts = async () =>
    (await tables().selectFrom('model').select(['name', 'objects']).orderBy('objects').execute()).map(
      ({ name, objects }) => `${name} ${objects}`,
    );
  const tables = () => server.database.of<ModelTables>('model_3d');

  it('matches models of the same name by their files, and drops the range images of the location if a model is moved or replaced', async () => {
    const dropRanges = vi.spyOn(server.service(SiteSurfaces), 'dropRanges');
    const [one, two, three] = [buildModel(1), buildModel(2), buildModel(3)];
    expect(await importModels([one, two])).toEqual({ added: 2, changed: 0, unchanged: 0 });
    expect(await importModels([two, one])).toEqual({ added: 0, changed: 0, unchanged: 2 });
    expect(await listNamesWithObjectCounts()).toEqual(['Skid 1', 'Skid 2']);
    expect(dropRanges).not.toHaveBeenCalled();
    const movedModel = { ...two, pose: { ...two.pose, heading: 90 } };
    expect(await importModels([movedModel, one])).toEqual({ added: 0, changed: 1, unchanged: 1 });
    expect(dropRanges.mock.calls.map(([location]) => location)).toEqual(['site']);
    expect(await importModels([three, movedModel])).toEqual({ added: 0, changed: 1, unchanged: 1 });
    expect(await listNamesWithObjectCounts()).toEqual(['Skid 2', 'Skid 3']);
    expect(dropRanges).toHaveBeenCalledTimes(2);
    dropRanges.mockRestore();
  });

  it('exports any number of models with the same SQL statements', async () => {
    const counter = new QueryCounter(server.database);
    const exportModels = async (): Promise<number> => {
      const addedFiles: string[] = [];
      await content.export({
        site: 'site',
        locations: ['site'],
        flags: 'ALL',
        language: 'en',
        signal: new AbortController().signal,
        add: (name, file) => {
          addedFiles.push(file as string);
          return Promise.resolve(name);
        },
        addStored: (name) => Promise.resolve(name),
        count: () => undefined,
        note: () => undefined,
      });
      return (JSON.parse(addedFiles[0]!) as ExportedModel[]).length;
    };
    const smallerExport = await counter.record(exportModels);
    await importModels([{ ...buildModel(1), name: 'Another' }]);
    const largerExport = await counter.record(exportModels);
    expect([smallerExport.result, largerExport.result]).toEqual([2, 3]);
    expect(largerExport.statements).toEqual(smallerExport.statements);
  });
});

const buildModel = (boxes: number): ExportedModel => ({
  name: 'Skid',
  location: 'site',
  file: `${boxes}.glb`,
  pose: { position: [0, 0, 0], heading: 0, scale: 1 },
  bounds: null,
  report: { objects: boxes } as ExportedModel['report'],
  rules: [],
  mappings: [],
});
