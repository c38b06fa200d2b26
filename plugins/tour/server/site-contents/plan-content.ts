import { createReadStream } from 'node:fs';
import { Type } from 'typebox';
import { nullable } from '#core/api';
import {
  assertPicture,
  atLocation,
  findMediaType,
  removeOnFailure,
  type ServerContext,
  type SiteContent,
  type SiteExport,
  type SiteImport,
} from '#core/server';
import { PlanPoint } from '../../contract/api/tour-content.ts';
import { applyDeckChange } from '../contents/deck-changes.ts';
import type { ContentContext } from '../contents/content-context.ts';
import type { TourTables } from '../tables.ts';
import { toJson } from './tour-content.ts';

const plansFile = 'plans.json';
const Plans = Type.Array(
  Type.Object({
    deck: Type.String(),
    file: Type.String(),
    /** Size, pixels. */
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    /** Null until the plan is placed. */
    placement: nullable(
      Type.Object({
        /** Centre of the plan, metres in the site frame. */
        x: Type.Number(),
        y: Type.Number(),
        /** Metres per pixel. */
        scale: Type.Number({ exclusiveMinimum: 0 }),
        /** Direction of the upper edge, degrees clockwise from north. */
        heading: Type.Number(),
      }),
    ),
    points: Type.Array(PlanPoint),
  }),
);

/** Exports and imports plans of decks with their placement. Decks are exported in the workbook of the tour. */
export const createPlanContent = (context: ServerContext<TourTables>): SiteContent => ({
  id: 'plans',
  title: { en: 'Plans of decks', fr: 'Plans des ponts' },
  frenchCountLabels: { plans: 'plans' },
  folder: 'plans',
  order: 30,
  export: (siteExport) => exportPlans(context, siteExport),
  check: async ({ read, requireFile }) => {
    for (const plan of await read(plansFile, Plans)) requireFile(plan.file);
  },
  import: (source) => importPlans(context, source),
});

async function exportPlans({ tables }: ContentContext, siteExport: SiteExport): Promise<void> {
  const decks = await tables
    .selectFrom('deck')
    .selectAll()
    .where('site', '=', siteExport.site)
    .where(atLocation('location', siteExport.locations))
    .where('plan_file', 'is not', null)
    .orderBy('code')
    .execute();
  const plans = [];
  for (const deck of decks) {
    const file = await siteExport.addStored(deck.code, deck.plan_file ?? '');
    if (file === undefined) {
      siteExport.note(
        `The plan of the deck ${deck.code} is missing in the file store.`,
        `Le plan du pont ${deck.code} manque dans le stockage de fichiers.`,
      );
      continue;
    }
    const { plan_x: x, plan_y: y, plan_scale: scale, plan_heading: heading } = deck;
    plans.push({
      deck: deck.code,
      file,
      width: deck.plan_width,
      height: deck.plan_height,
      placement: x === null || y === null || scale === null ? null : { x, y, scale, heading: heading ?? 0 },
      points: deck.plan_points,
    });
  }
  if (plans.length === 0) return;
  await siteExport.add(plansFile, toJson(plans));
  siteExport.count({ plans: plans.length });
  siteExport.note(
    'Plans are exported in the size that the product shows. If a plan was made from a PDF, the PDF is not kept.',
    'Les plans ont la taille que le produit affiche. Le PDF dont un plan a été tiré n’est pas conservé.',
  );
}

async function importPlans(context: ContentContext, { site, author, read, requireFile, note, dryRun }: SiteImport) {
  const counts = { added: 0, changed: 0, unchanged: 0 };
  const decks = await context.tables.selectFrom('deck').selectAll().where('site', '=', site).execute();
  const storedFiles = await context.files.findAll(decks.flatMap(({ plan_file }) => plan_file ?? []));
  for (const plan of await read(plansFile, Plans)) {
    const deck = decks.find(({ code }) => code.toLowerCase() === plan.deck.toLowerCase());
    if (!deck && dryRun) {
      counts.added += 1;
      continue;
    }
    if (!deck) {
      note(
        `The plan of ${plan.deck} was left out: there is no such deck.`,
        `Le plan de ${plan.deck} a été laissé de côté : ce pont n’existe pas.`,
      );
      continue;
    }
    const { path, sha256 } = requireFile(plan.file);
    const isSameFile = storedFiles.get(deck.plan_file ?? '')?.sha256 === sha256;
    const placement = {
      plan_x: plan.placement?.x ?? null,
      plan_y: plan.placement?.y ?? null,
      plan_scale: plan.placement?.scale ?? null,
      plan_heading: plan.placement?.heading ?? null,
    };
    const isSamePlacement = (Object.keys(placement) as (keyof typeof placement)[]).every(
      (column) => placement[column] === deck[column],
    );
    if (isSameFile && isSamePlacement && JSON.stringify(plan.points) === JSON.stringify(deck.plan_points)) {
      counts.unchanged += 1;
      continue;
    }
    counts[deck.plan_file === null ? 'added' : 'changed'] += 1;
    if (dryRun) continue;
    const target = { location: deck.location, deck: deck.uid };
    const save = (image: object): Promise<unknown> =>
      applyDeckChange(context, author, target, deck.row_version, 'tour.planSaved', () => ({
        ...image,
        ...placement,
        plan_points: JSON.stringify(plan.points),
      }));
    if (isSameFile) await save({});
    else {
      await assertPicture(path);
      const { id } = await context.files.put(
        {
          name: plan.file,
          mediaType: findMediaType(plan.file),
          audience: { kind: 'location', location: deck.location },
        },
        createReadStream(path),
      );
      await removeOnFailure(context.files, [id], () =>
        save({ plan_file: id, plan_width: plan.width, plan_height: plan.height }),
      );
    }
  }
  return counts;
}
