import { LocationWriter, serverPlugin } from '#core/server';
import {
  listLocationPictures,
  deleteLocationPicture,
  saveLocationPicture,
  saveNavigationAreas,
} from '../contract/api.ts';
import { SetUpSteps } from '#plugins/locations';
import { updateSetUp, getSetUp } from '../contract/api/set-up.ts';
import type manifest from '../plugin.ts';
import { saveAreas } from './commands/save-areas.ts';
import { pictureUpload, removePicture, savePicture } from './commands/save-picture.ts';
import { loadLocationPictures } from './handlers/list-location-pictures.ts';
import { createLocationPicture } from './migrations/0001-create-location-picture.ts';
import { addPictureChange } from './migrations/0002-add-picture-change.ts';
import { dropPictureChange } from './migrations/0003-drop-picture-change.ts';
import { registerContentChecks } from './queries/content-checks.ts';
import { createSkippedStep } from './migrations/0004-create-skipped-step.ts';
import { SetUpStepList } from './set-up/set-up-step-list.ts';
import { createSiteStep } from './set-up/site-step.ts';
import { createPictureContent } from './site-contents/picture-content.ts';
import type { LocationsTables } from './tables.ts';

export default serverPlugin<typeof manifest, LocationsTables>()({
  migrations: [createLocationPicture, addPictureChange, dropPictureChange, createSkippedStep],
  api: (api, context) => {
    const { tables, files, locations } = context;
    const changes = context.service(LocationWriter).contentChangesOf<LocationsTables>('locations');
    changes.register({
      tables: { location_picture: { key: ['location'], location: 'location', version: 'version' } },
    });
    context.changes.register({ tables: { skipped_step: { key: ['step'] } } });
    registerContentChecks(context);
    const setUp = new SetUpStepList(context);
    setUp.register(createSiteStep(context));
    context.provide(SetUpSteps, setUp);
    api.serve(getSetUp, ({ caller }) => setUp.read(caller));
    api.serve(updateSetUp, ({ caller, requestId, body }) => setUp.change({ caller, requestId }, body));
    const pictures = { tables, files, locations, changes };
    context.registerSiteContent(createPictureContent(pictures));
    api.serve(listLocationPictures, ({ caller }) => loadLocationPictures(context, caller));
    api.serveUpload(saveLocationPicture, pictureUpload, ({ params, query, caller, requestId }, upload) =>
      savePicture(pictures, { caller, requestId }, { ...params, ...query }, upload),
    );
    api.serve(deleteLocationPicture, ({ params, query, caller, requestId }) =>
      removePicture(pictures, { caller, requestId }, { ...params, ...query }),
    );
    api.serve(saveNavigationAreas, ({ params, body, caller, requestId }) =>
      saveAreas(pictures, { caller, requestId }, { ...params, ...body }),
    );
  },
  demo: () => import('./demo.ts'),
});
