import { serverPlugin } from '#core/server';
import { answerTourForm, getTourForm, rateTour } from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { createForm } from './migrations/0001-create-form.ts';
import { addRatedAt } from './migrations/0002-add-rated-at.ts';
import { saveForm } from './commands/save-form.ts';
import { saveRating } from './commands/save-rating.ts';
import { loadTourForm } from './queries/tour-form.ts';
import type { FeedbackTables } from './tables.ts';

export default serverPlugin<typeof manifest, FeedbackTables>()({
  migrations: [createForm, addRatedAt],
  api: (api, context) => {
    context.registerContents('feedback.contents.forms', 'form');
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
