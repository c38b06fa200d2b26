import { atLocation, matchesAny, type SiteContent, type SiteExport } from '#core/server';
import { Tours } from '#plugins/tour';
import { importModels } from './import-models.ts';
import { Models, modelsFile, type ExportedModel, type ModelContentContext } from './model-record.ts';

/** Exports and imports 3D models as GLB, with their placement, tag rules and the mappings of admins. */
export const createModelContent = (context: ModelContentContext): SiteContent => ({
  id: 'models',
  title: { en: '3D models', fr: 'Modèles 3D' },
  frenchCountLabels: {
    models: 'modèles',
    'models left out (3D Tiles alone)': 'modèles laissés de côté (3D Tiles seuls)',
  },
  folder: 'models',
  order: 60,
  access: 'threeDimensionalAccess',
  export: (siteExport) => exportModels(context, siteExport),
  check: async ({ read, requireFile }) => {
    for (const model of await read(modelsFile, Models)) requireFile(model.file);
  },
  import: (siteImport) => importModels(context, siteImport),
});

async function exportModels(context: ModelContentContext, siteExport: SiteExport): Promise<void> {
  const { tables } = context;
  const rows = await tables
    .selectFrom('model')
    .selectAll()
    .where(atLocation('location', siteExport.locations))
    .where('file', 'is not', null)
    .orderBy('location')
    .orderBy('name')
    .orderBy('uid')
    .execute();
  const uids = rows.map(({ uid }) => uid);
  if (uids.length === 0) return;
  const rules = await tables.selectFrom('tag_rules').selectAll().where(matchesAny('model', uids)).execute();
  const rulesByModel = new Map(rules.map((row) => [row.model, row.rules]));
  const findMappings = await readMappings(context, siteExport, uids);
  const models: ExportedModel[] = [];
  let tiledCount = 0;
  for (const { uid, name, location, file: id, tiles, pose, bounds, report } of rows) {
    if (tiles > 0) {
      tiledCount += 1;
      await exportTiles(context, siteExport, name, id ?? '');
      continue;
    }
    const file = await siteExport.addStored(`${location}/${name}`, id ?? '');
    if (file === undefined)
      siteExport.note(`The file of the model ${name} is missing.`, `Le fichier du modèle ${name} manque.`);
    else
      models.push({
        name,
        location,
        file,
        pose,
        bounds,
        report,
        rules: rulesByModel.get(uid) ?? [],
        mappings: findMappings(uid),
      });
  }
  if (models.length > 0) await siteExport.add(modelsFile, `${JSON.stringify(models, null, 1)}\n`);
  siteExport.count({ models: models.length });
  if (tiledCount > 0) siteExport.count({ 'models left out (3D Tiles alone)': tiledCount });
  siteExport.note(
    'Models are as the product shows them. What was uploaded (such as IFC) is not kept.',
    'Les modèles sont tels que le produit les affiche. Ce qui a été téléversé (comme l’IFC) n’est pas conservé.',
  );
}

/** Exports the tiles of a large model for other programs. Imports do not read them. */
async function exportTiles(
  { files }: ModelContentContext,
  siteExport: SiteExport,
  name: string,
  folder: string,
): Promise<void> {
  for (const { path } of await files.listEntries(folder))
    await siteExport.add(`${name}-tiles/${path}`, await files.read(folder, undefined, path), { derived: true });
  siteExport.note(
    `The model ${name} is a folder of 3D Tiles, which imports leave out: upload its file again.`,
    `Le modèle ${name} est un dossier de 3D Tiles, que les imports laissent de côté : téléversez de nouveau son fichier.`,
  );
}

async function readMappings(
  { tables, service }: ModelContentContext,
  { site, locations }: SiteExport,
  models: readonly string[],
): Promise<(model: string) => ExportedModel['mappings']> {
  const rows = await tables
    .selectFrom('mapping')
    .selectAll()
    .where(matchesAny('model', models))
    .where('rule', 'is', null)
    .orderBy('object')
    .execute();
  const tags = rows.flatMap(({ kind, target }) => (kind === 'TAG' && target !== null ? [target] : []));
  const numbers = await service(Tours).tagNumbers(tags, locations);
  const nodes = new Map((await service(Tours).nodesAt(site)).map(({ uid, code }) => [uid, code]));
  const rowsByModel = new Map(models.map((model) => [model, [] as typeof rows]));
  for (const row of rows) rowsByModel.get(row.model)?.push(row);
  return (model) =>
    (rowsByModel.get(model) ?? []).flatMap(({ object, kind, target }): ExportedModel['mappings'] => {
      if (target === null) return [{ object, kind, target }];
      const code = kind === 'TAG' ? numbers.get(target) : nodes.get(target);
      return code === undefined || code === null ? [] : [{ object, kind, target: code }];
    });
}
