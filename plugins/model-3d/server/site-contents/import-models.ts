import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import { atLocation, removeOnFailure, type ImportedCounts, type SiteImport } from '#core/server';
import { SiteSurfaces, Tours } from '#plugins/tour';
import { readObjects, replaceObjects } from '../jobs/model-objects.ts';
import { replaceTagRules } from '../tag-rules/save-tag-rules.ts';
import { findTagRules } from '../jobs/start-tag-rules.ts';
import type { ModelTables } from '../tables.ts';
import { Models, modelsFile, type ExportedModel, type ModelContentContext } from './model-record.ts';

type ModelRow = Selectable<ModelTables['model']>;

/** Imports converted models. Their files are stored unchanged, so that they equal those of the export. */
export async function importModels(context: ModelContentContext, siteImport: SiteImport): Promise<ImportedCounts> {
  const { note, author, dryRun } = siteImport;
  const counts = { added: 0, changed: 0, unchanged: 0 };
  const models = await siteImport.read(modelsFile, Models);
  const locationUids = [...new Set(models.map(({ location }) => location))];
  const currentModels = await context.tables
    .selectFrom('model')
    .selectAll()
    .where(atLocation('location', locationUids))
    .orderBy('uid')
    .execute();
  const storedFileById = await context.files.findAll(currentModels.flatMap(({ file }) => file ?? []));
  const hasSameFile = (row: ModelRow, model: ExportedModel): boolean =>
    storedFileById.get(row.file ?? '')?.sha256 === siteImport.requireFile(model.file).sha256;
  const matches = matchModels(models, currentModels, hasSameFile);
  for (const model of models) {
    const isNewLocation = dryRun && !(await context.locations.find(model.location));
    if (!isNewLocation && !(await context.locations.canAccess(author.caller, model.location))) {
      note(
        `The model ${model.name} was left out: there is no location ${model.location}.`,
        `Le modèle ${model.name} a été laissé de côté : il n’y a pas d’emplacement ${model.location}.`,
      );
      continue;
    }
    const formerModel = matches.get(model);
    const isSameFile = formerModel !== undefined && hasSameFile(formerModel, model);
    let changed = !isSameFile || !isDeepStrictEqual(formerModel.pose, model.pose);
    const uid = formerModel?.uid ?? randomUUID();
    if (changed && !dryRun) await writeModel(context, siteImport, model, { uid, former: formerModel, isSameFile });
    changed = (await writeRules(context, siteImport, uid, model)) || changed;
    changed = (await writeMappings(context, siteImport, uid, model)) || changed;
    counts[formerModel === undefined ? 'added' : changed ? 'changed' : 'unchanged'] += 1;
    await siteImport.advance(1);
  }
  await context.jobs.notifyRunners();
  return counts;
}

/** Matches by location and name. Among models of one name, those with the same file and placement match first. */
function matchModels(
  models: readonly ExportedModel[],
  currentModels: readonly ModelRow[],
  isSameFile: (row: ModelRow, model: ExportedModel) => boolean,
): ReadonlyMap<ExportedModel, ModelRow> {
  const toKey = ({ location, name }: Pick<ModelRow, 'location' | 'name'>): string => JSON.stringify([location, name]);
  const unmatchedRows = new Map<string, Set<ModelRow>>();
  for (const row of currentModels) unmatchedRows.set(toKey(row), (unmatchedRows.get(toKey(row)) ?? new Set()).add(row));
  const matches = new Map<ExportedModel, ModelRow>();
  const match = (isMatch: (row: ModelRow, model: ExportedModel) => boolean): void => {
    for (const model of models) {
      const rows = matches.has(model) ? undefined : unmatchedRows.get(toKey(model));
      const matchingRow = rows && [...rows].find((row) => isMatch(row, model));
      if (!matchingRow) continue;
      matches.set(model, matchingRow);
      rows.delete(matchingRow);
    }
  };
  match((row, model) => isSameFile(row, model) && isDeepStrictEqual(row.pose, model.pose));
  match(isSameFile);
  match(() => true);
  return matches;
}

async function writeModel(
  { tables, files, service }: ModelContentContext,
  { requireFile }: SiteImport,
  { name, location, file: exportedFile, pose, bounds, report }: ExportedModel,
  {
    uid,
    former,
    isSameFile,
  }: {
    readonly uid: string;
    readonly former: ModelRow | undefined;
    readonly isSameFile: boolean;
  },
): Promise<void> {
  const values = { pose: JSON.stringify(pose), updated_at: new Date() };
  if (former && isSameFile) {
    await tables.transaction().execute(async (transaction) => {
      await transaction.updateTable('model').set(values).where('uid', '=', uid).execute();
      await service(SiteSurfaces).dropRanges(location, transaction);
    });
    return;
  }
  const { path, bytes } = requireFile(exportedFile);
  const { id } = await files.put(
    { name: `${name}.glb`, mediaType: 'model/gltf-binary', audience: { kind: 'location', location } },
    createReadStream(path),
  );
  await removeOnFailure(files, [id], async () => {
    const objects = await readObjects(files, id, false);
    const row = {
      ...values,
      state: 'READY' as const,
      message: null,
      refusal: null,
      file: id,
      tiles: 0,
      bytes,
      objects: report?.objects ?? 0,
      bounds: JSON.stringify(bounds),
      report: JSON.stringify(report),
      version: (former?.version ?? 0) + 1,
    };
    await tables.transaction().execute(async (transaction) => {
      if (former) await transaction.updateTable('model').set(row).where('uid', '=', uid).execute();
      else
        await transaction
          .insertInto('model')
          .values({ ...row, uid, location, name, job: null })
          .execute();
      await replaceObjects(transaction, uid, objects);
      if (former?.file) await service(SiteSurfaces).dropRanges(location, transaction);
    });
  });
  if (former?.file) await files.remove(former.file);
}

async function writeRules(
  context: ModelContentContext,
  { author, dryRun }: SiteImport,
  uid: string,
  { rules }: ExportedModel,
): Promise<boolean> {
  const currentTagRules = await findTagRules(context.tables, uid);
  if (isDeepStrictEqual(currentTagRules.rules, rules)) return false;
  if (!dryRun) await replaceTagRules(context, author, uid, { version: currentTagRules.version, rules });
  return true;
}

async function writeMappings(
  { tables, service }: ModelContentContext,
  { site, note, dryRun }: SiteImport,
  model: string,
  { name, mappings }: ExportedModel,
): Promise<boolean> {
  const listTargets = (kind: string): string[] =>
    mappings.flatMap((mapping) => (mapping.kind === kind && mapping.target !== null ? [mapping.target] : []));
  const tags = await service(Tours).findTags(site, listTargets('TAG'));
  const nodes = await service(Tours).findNodes(site, listTargets('NODE'));
  const rows = mappings.flatMap(({ object, kind, target }) => {
    const uid = target === null ? null : (kind === 'TAG' ? tags : nodes).get(target);
    return uid === undefined ? [] : [{ model, object, kind, target: uid }];
  });
  if (rows.length < mappings.length && !dryRun)
    note(
      `${mappings.length - rows.length} mappings of ${name} have no tag here.`,
      `${mappings.length - rows.length} correspondances de ${name} n’ont pas de repère ici.`,
    );
  const currentMappings = await tables
    .selectFrom('mapping')
    .select(['model', 'object', 'kind', 'target'])
    .where('model', '=', model)
    .where('rule', 'is', null)
    .execute();
  const toKey = ({ kind, object }: (typeof rows)[number]): string => `${kind} ${object}`;
  const targets = new Map(currentMappings.map((row) => [toKey(row), row.target]));
  const missingRows = rows.filter((row) => targets.get(toKey(row)) !== row.target);
  for (let from = 0; from < missingRows.length && !dryRun; from += rowsPerInsert)
    await tables
      .insertInto('mapping')
      .values(missingRows.slice(from, from + rowsPerInsert))
      .onConflict((conflict) =>
        conflict
          .columns(['model', 'object', 'kind'])
          .doUpdateSet((row) => ({ target: row.ref('excluded.target'), rule: null })),
      )
      .execute();
  return missingRows.length > 0;
}

const rowsPerInsert = 1000;
