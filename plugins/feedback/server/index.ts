import { serverPlugin } from '#core/server';
import { Masters } from '#plugins/masters';
import { answerTourForm, getTourForm, rateTour } from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { createForm } from './migrations/0001-create-form.ts';
import { addRatedAt } from './migrations/0002-add-rated-at.ts';
import { saveForm } from './commands/save-form.ts';
import { saveRating } from './commands/save-rating.ts';
import { countFormsWithMaster } from './queries/count-forms-with-master.ts';
import { loadTourForm } from './queries/tour-form.ts';
import type { FeedbackTables } from './tables.ts';

export default serverPlugin<typeof manifest, FeedbackTables>()({
  migrations: [createForm, addRatedAt],
  api: (api, context) => {
    context.registerLocationContents('feedback.contents.forms', 'form');
    context.service(Masters).registerUse({
      message: 'feedback.contents.forms',
      count: countFormsWithMaster,
    });
    api.serve(getTourForm, ({ caller, params }) => loadTourForm(context, caller, params.location));
    api.serve(answerTourForm, async ({ caller, params, body }) => ({
      remaining: await saveForm(context, caller, params.location, params.uid, body),
    }));
    api.serve(rateTour, async ({ caller, params, body }) => {
      await saveRating(context, caller, params.location, params.uid, body.rating);
      return {};
    });
  },
});
