import type { ServerBridge } from '#core/server';
import { SetUpSteps, type SetUpState, type SetUpStepReport } from '#plugins/locations';
import { SiteSurfaces } from '#plugins/tour';
import { countContents } from '../contents/set-up-steps.ts';
import type { TourTables } from '../tables.ts';

const toSetUpState = (doneCount: number, total: number): SetUpState => {
  if (total === 0) return 'TODO';
  return doneCount === total ? 'DONE' : 'STARTED';
};

/** The steps of decks, viewpoints, alignment and tags in the set-up list. */
const bridge: ServerBridge<TourTables> = (_api, context) =>
  context.service(SetUpSteps).register({
    steps: ['tour.decks', 'tour.viewpoints', 'tour.align', 'tour.tags'],
    read: async (locations): Promise<readonly SetUpStepReport[]> => {
      const { decks, placed, residual, nodes, pictured, aligned, tags, unseen } = await countContents(
        context,
        locations,
      );
      const lacksSurfaces =
        pictured > 0 && aligned === 0 && !(await context.service(SiteSurfaces).hasSurfaces(locations));
      return [
        {
          id: 'tour.decks',
          state: toSetUpState(placed, decks),
          detail:
            residual === null
              ? { message: 'tour.setUp.decksCount', values: { count: decks, placed } }
              : { message: 'tour.setUp.decksResidual', values: { count: decks, placed, residual } },
        },
        {
          id: 'tour.viewpoints',
          state: toSetUpState(pictured, nodes),
          detail: { message: 'tour.setUp.viewpointsCount', values: { count: nodes, pictured } },
        },
        {
          id: 'tour.align',
          state: aligned === 0 ? 'TODO' : toSetUpState(aligned, pictured),
          detail: lacksSurfaces
            ? { message: 'tour.setUp.alignNeeds', values: { count: pictured } }
            : { message: 'tour.setUp.aligned', values: { count: pictured, aligned } },
        },
        {
          id: 'tour.tags',
          state: toSetUpState(tags, tags),
          detail: { message: 'tour.setUp.tagsCount', values: { count: tags, unseen } },
        },
      ];
    },
  });
export default bridge;
