import { sql } from 'kysely';
import { atLocation, type ServerContext } from '#core/server';
import { fitPlan } from '../../common/fit-plan.ts';
import type { TourTables } from '../tables.ts';

/** An alignment with a larger residual does not agree, degrees. */
const maxAgreedDegrees = 0.5;

export interface SetUpCounts {
  readonly decks: number;
  /** Decks whose plan is placed. */
  readonly placed: number;
  /** Largest residual of points of placed plans, metres. Null if no placement has redundant points. */
  readonly residual: number | null;
  readonly nodes: number;
  /** Nodes with a panorama. */
  readonly pictured: number;
  /** Nodes whose panorama agrees with its ties. */
  readonly aligned: number;
  readonly tags: number;
  /** Tags and lines that no node sees. */
  readonly unseen: number;
}

/** Counts the contents at locations, in four queries. */
export async function countContents(
  { tables }: Pick<ServerContext<TourTables>, 'tables'>,
  locations: readonly string[],
): Promise<SetUpCounts> {
  const count = sql<number>`count(*)::int`;
  const [decks, nodes, aligned, tags] = await Promise.all([
    tables
      .selectFrom('deck')
      .select(['plan_width', 'plan_height', 'plan_x', 'plan_points'])
      .where(atLocation('location', locations))
      .execute(),
    tables
      .selectFrom('node')
      .select([count.as('all'), sql<number>`count(panorama_file)::int`.as('pictured')])
      .where(atLocation('location', locations))
      .executeTakeFirstOrThrow(),
    tables
      .selectFrom('alignment')
      .innerJoin('node', 'node.uid', 'alignment.node')
      .select(count.as('all'))
      .where(atLocation('node.location', locations))
      .where('residual', '<=', maxAgreedDegrees)
      .whereRef('node.x', '=', 'alignment.x')
      .whereRef('node.y', '=', 'alignment.y')
      .whereRef('node.z', '=', 'alignment.z')
      .whereRef('node.heading', '=', 'alignment.heading')
      .whereRef('node.panorama_file', '=', 'alignment.panorama_file')
      .executeTakeFirstOrThrow(),
    tables
      .selectFrom('tag')
      .select([
        count.as('all'),
        sql<number>`count(*) filter (where not exists (select from tour.tag_view where tag_view.tag = tag.uid))::int`.as(
          'unseen',
        ),
      ])
      .where('type', '=', 'TAG')
      .where(atLocation('location', locations))
      .executeTakeFirstOrThrow(),
  ]);
  const residuals = decks.flatMap(({ plan_x, plan_width: width, plan_height: height, plan_points: points }) => {
    const fit = plan_x !== null && width !== null && height !== null && fitPlan({ width, height }, points).fit;
    return fit && fit.redundant ? fit.residuals : [];
  });
  return {
    decks: decks.length,
    placed: decks.filter(({ plan_x }) => plan_x !== null).length,
    residual: residuals.length === 0 ? null : Math.max(...residuals),
    nodes: nodes.all,
    pictured: nodes.pictured,
    aligned: aligned.all,
    tags: tags.all,
    unseen: tags.unseen,
  };
}
