import { LocationJournal, serverPlugin } from '#core/server';
import {
  listLocationPictures,
  removeLocationPicture,
  saveLocationPicture,
  saveNavigationAreas,
} from '../contract/api.ts';
import { SetUpSteps } from '#plugins/locations';
import { changeSetUp, getSetUp } from '../contract/api/set-up.ts';
import type manifest from '../plugin.ts';
import { saveAreas } from './commands/save-areas.ts';
import { pictureUpload, removePicture, savePicture } from './commands/save-picture.ts';
import { loadLocationPictures } from './handlers/list-location-pictures.ts';
import { createLocationPicture } from './migrations/0001-create-location-picture.ts';
import { addPictureChange } from './migrations/0002-add-picture-change.ts';
import { dropPictureChange } from './migrations/0003-drop-picture-change.ts';
import { registerChecks } from './queries/register-checks.ts';
import type { LocationsTables } from './tables.ts';

export default serverPlugin<typeof manifest, LocationsTables>()({
  migrations: [createLocationPicture, addPictureChange, dropPictureChange],
  api: (api, { service, tables, files, locations }) => {
    const changes = service(LocationJournal).of<LocationsTables>('locations');
    changes.register({
      tables: { location_picture: { key: ['location'], location: 'location', version: 'version' } },
    });
    registerChecks(context);
    const context = { tables, files, locations, changes };
import { createSkippedStep } from './migrations/0004-create-skipped-step.ts';
import { SetUpStepList } from './set-up/set-up.ts';
import { createSiteStep } from './set-up/site-step.ts';
import type { LocationsTables } from './tables.ts';

export default serverPlugin<typeof manifest, LocationsTables>()({
  migrations: [createLocationPicture, addPictureChange, dropPictureChange, createSkippedStep],
  api: (api, context) => {
    context.changes.register({
      tables: {
        location_picture: { key: ['location'], location: 'location', version: 'version' },
        skipped_step: { key: ['step'] },
      },
    });
    const setUp = new SetUpStepList(context);
    setUp.register(createSiteStep(context));
    context.provide(SetUpSteps, setUp);
    api.serve(getSetUp, ({ caller }) => setUp.read(caller));
    api.serve(changeSetUp, ({ caller, requestId, body }) => setUp.change({ caller, requestId }, body));
    api.serve(listLocationPictures, ({ caller }) => loadLocationPictures(context, caller));
    api.serveUpload(saveLocationPicture, pictureUpload, ({ params, query, caller, requestId }, upload) =>
      savePicture(context, { caller, requestId }, { ...params, ...query }, upload),
    );
    api.serve(removeLocationPicture, ({ params, query, caller, requestId }) =>
      removePicture(context, { caller, requestId }, { ...params, ...query }),
    );
    api.serve(saveNavigationAreas, ({ params, body, caller, requestId }) =>
      saveAreas(context, { caller, requestId }, { ...params, ...body }),
    );
  },
  demo: () => import('./demo.ts'),
});
