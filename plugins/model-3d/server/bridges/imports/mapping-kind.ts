import { sql } from 'kysely';
import type { ContentChanges } from '#core/server';
import type { ApplyContext, ImportKind } from '#plugins/imports';
import type { Tours } from '#plugins/tour';
import english from '../../../contract/messages/en.json' with { type: 'json' };
import french from '../../../contract/messages/fr.json' with { type: 'json' };
import type { ModelTables } from '../../tables.ts';
import { createMappingSheet, mappingSheetId, selectNamedModels } from './mapping-sheet.ts';

/** Writes links from elements to tags. Like links made on the screen, they take precedence over the file and rules. */
async function applyMappings(
  { scope, rows, recordedTransaction: { tables, lockAndRecord } }: ApplyContext<ModelTables>,
  tours: Tours,
): Promise<void> {
  const { rows: mappings } = await sql<{ model: string; element: string; tag: string | null }>`
    select model.uid as model, row.values ->> 'element' as element,
      case when row.state = 'REMOVED' then null else tag.uid end as tag
    from (
      select state, coalesce(before, '{}') || coalesce(values, '{}') as values from (${rows(mappingSheetId)}) as staged
      where state in ('ADDED', 'CHANGED', 'REMOVED')
    ) as row
    join (${selectNamedModels(scope)}) as model on lower(model.name) = lower(row.values ->> 'model')
    left join (${tours.tagQuery(scope.site)}) as tag on lower(tag.number) = lower(row.values ->> 'tag')`.execute(
    tables,
  );
  await lockAndRecord('mapping', 'object', [...new Set(mappings.map(({ element }) => element))]);
  const mappingsToRemove = mappings.filter(({ tag }) => tag === null);
  const mappingsToWrite = mappings.filter(({ tag }) => tag !== null);
  await sql`
    delete from model_3d.mapping using unnest(
      ${mappingsToRemove.map(({ model }) => model)}::text[], ${mappingsToRemove.map(({ element }) => element)}::text[]
    ) as removed (model, object)
    where mapping.model = removed.model and mapping.object = removed.object and kind = 'TAG'`.execute(tables);
  await sql`
    insert into model_3d.mapping (model, object, kind, target)
    select model, object, 'TAG', tag from unnest(
      ${mappingsToWrite.map(({ model }) => model)}::text[], ${mappingsToWrite.map(({ element }) => element)}::text[],
      ${mappingsToWrite.map(({ tag }) => tag)}::text[]
    ) as written (model, object, tag)
    on conflict (model, object, kind) do update set target = excluded.target, rule = null`.execute(tables);
}

/** Creates the kind of import for links between model elements and tags. */
export const createMappingKind = (
  changes: ContentChanges<ModelTables>,
  findTours: () => Tours,
): ImportKind<ModelTables> => ({
  id: 'model-3d.mapping',
  title: { en: '3D mapping', fr: 'Correspondances 3D' },
  order: 35,
  access: 'configure',
  scope: 'SITE',
  // The content of models has the links, too, and is imported after the workbooks.
  inOtherContent: true,
  fileName: (code) => `${code}_3D_MAPPING_IMPORT_FILE.xlsx`,
  files: [{ title: { en: 'Workbook', fr: 'Classeur' }, kind: 'EXCEL', required: true }],
  sheets: [createMappingSheet(findTours)],
  readme: [
    {
      en: 'Links between elements of 3D models and tags, as created on the screen 3D mapping. They take precedence over tags in the model and tags found by rules. Exports contain only these links.',
      fr: 'Liens entre éléments des modèles 3D et repères, comme à l’écran Correspondances 3D. Ils priment sur les repères qu’indique un modèle et sur ceux que trouvent des règles. Les exports ne contiennent que ces liens.',
    },
    {
      en: 'Upload and place models on the screen 3D models first.',
      fr: 'Importez et placez d’abord les modèles à l’écran Modèles 3D.',
    },
  ],
  messages: { en: english, fr: french },
  changes,
  apply: (context) => applyMappings(context, findTours()),
});
