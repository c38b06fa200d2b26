import { sql, type RawBuilder } from 'kysely';
import { finding, type CheckContext, type ImportScope, type ImportSheet } from '#plugins/imports';
import type { Tours } from '#plugins/tour';

export const mappingSheetId = 'mappings';

/**
 * Selects `uid`, `name` and `location` of the models of a site, with the name that workbooks use. If several models
 * have the same name, it is replaced by the uid.
 */
export const selectNamedModels = ({ locations }: Pick<ImportScope, 'locations'>): RawBuilder<unknown> => sql`
  select uid, location, case when count(*) over (partition by lower(name)) = 1 then name else uid end as name
  from model_3d.model where location = any(${[...locations]}::text[])`;

/** Added to the rank of tours below a model, so that tours above it come first. */
const belowRank = 1000;

/**
 * Selects `uid`, `name`, `tour` (its code) and `rank` for each pair of a model and one of its tours. The tour of a
 * model is at its location or at the nearest location above it. If there is none, all tours below belong to the model,
 * as for a whole site.
 */
const selectModelsWithTours = (scope: ImportScope, tours: Tours): RawBuilder<unknown> => sql`
  select uid, name, tour, rank
  from (
    with recursive place as (
      select uid as start, uid, parent, 0 as steps from core.location where uid = any(${[...scope.locations]}::text[])
      union all
      select start, location.uid, location.parent, steps + 1
      from place join core.location on location.uid = place.parent
    ),
    model as materialized (${selectNamedModels(scope)}),
    tour as materialized (${tours.tourQuery(scope.site)})
    select *, min(rank) over (partition by uid) as nearest
    from (
      select model.uid, model.name, tour.code as tour, steps as rank
      from place join model on model.location = place.start join tour on tour.location = place.uid
      union all
      select model.uid, model.name, tour.code, ${belowRank}::int + steps
      from place join model on model.location = place.uid join tour on tour.location = place.start
      where steps > 0
    ) as model_tour
  ) as ranked
  where rank = nearest or nearest >= ${belowRank}::int`;

/** Selects each model with the tour that has the lowest rank, then the first code. */
const selectModelsWithFirstTour = (scope: ImportScope, tours: Tours): RawBuilder<unknown> => sql`
  select distinct on (uid) uid, name, tour from (${selectModelsWithTours(scope, tours)}) as ranked order by uid, rank, tour`;

/** Finds unknown elements, and models of another tour. The reference check finds unknown models. */
const checkMappings = ({ scope, rows }: CheckContext, tours: Tours): RawBuilder<unknown> => sql`
  select * from (
    with imported as materialized (
      select row.id, model.uid, model.name, row.values ->> 'element' as element,
        coalesce(row.before, '{}') || row.values ->> 'tour' as tour
      from (${rows(mappingSheetId)}) as row
      join (${selectNamedModels(scope)}) as model
        on lower(model.name) = lower((coalesce(row.before, '{}') || row.values) ->> 'model')
      where row.number is not null
    )
    select ${finding('element', 'model-3d.refused.noSuchElement', { model: sql`row.name`, element: sql`row.element` })}
    from imported as row
    where element is not null and not exists (
      select from model_3d.model_object as object where object.model = row.uid and object.key = element)
    union all
    select ${finding('tour', 'model-3d.refused.otherTour', { model: sql`row.name` })}
    from imported as row
    where row.tour is not null and (row.uid, lower(row.tour)) not in (
      select uid, lower(tour) from (${selectModelsWithTours(scope, tours)}) as model_tour)
  ) as found`;

/** Creates the sheet with the links from elements to tags that admins have made. */
export const createMappingSheet = (findTours: () => Tours): ImportSheet => ({
  id: mappingSheetId,
  name: '3D mapping',
  removable: true,
  columns: [
    {
      id: 'tour',
      header: { en: 'Tour', fr: 'Visite' },
      type: 'REFERENCE',
      required: true,
      maxLength: 50,
      reference: {
        entity: { en: 'tours', fr: 'visites' },
        find: ({ site }) => sql`select code, true as active from (${findTours().tourQuery(site)}) as tour`,
      },
      note: {
        en: 'Code of the tour at the location of the model or above it; of one below it, if there is none.',
        fr: 'Code de la visite à l’emplacement du modèle ou au-dessus ; à défaut, d’une visite au-dessous.',
      },
    },
    {
      id: 'model',
      header: { en: 'Model URN', fr: 'URN du modèle' },
      type: 'REFERENCE',
      required: true,
      key: true,
      maxLength: 500,
      reference: {
        entity: { en: '3D models', fr: 'modèles 3D' },
        find: (scope) => sql`select name as code, true as active from (${selectNamedModels(scope)}) as model`,
      },
      note: {
        en: 'Name of the model. If several models of the site have it, the uid as exports state it.',
        fr: 'Nom du modèle. Si plusieurs modèles du site le portent, l’uid qu’indiquent les exports.',
      },
    },
    {
      id: 'element',
      header: { en: 'Element Id', fr: 'Id de l’élément' },
      type: 'TEXT',
      required: true,
      key: true,
      caseSensitive: true,
      maxLength: 1000,
      note: {
        en: 'Key of the object in the model, such as its GlobalId in IFC.',
        fr: 'Clé de l’objet dans le modèle, telle que son GlobalId en IFC.',
      },
    },
    {
      id: 'tag',
      header: { en: 'Tag Number', fr: 'Numéro de repère' },
      type: 'REFERENCE',
      required: true,
      maxLength: 80,
      reference: {
        entity: { en: 'tags', fr: 'repères' },
        find: ({ site, locations }) => sql`
          select number as code, true as active from (${findTours().tagQuery(site)}) as tag
          where location = any(${[...locations]}::text[])`,
      },
    },
  ],
  current: (scope) => sql`
    select jsonb_build_object('tour', model.tour, 'model', model.name, 'element', mapping.object, 'tag', tag.number)
      as values
    from model_3d.mapping
    join (${selectModelsWithFirstTour(scope, findTours())}) as model on model.uid = mapping.model
    join (${findTours().tagQuery(scope.site)}) as tag on tag.uid = mapping.target
    where mapping.kind = 'TAG' and mapping.rule is null and tag.location = any(${[...scope.locations]}::text[])`,
  check: (context) => checkMappings(context, findTours()),
  // No finding depends on other rows.
  selectRowsToRecheck: () => sql`select null::bigint as id where false`,
});
