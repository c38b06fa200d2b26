import { LocationJournal, serverPlugin } from '#core/server';
import {
  listLocationPictures,
  removeLocationPicture,
  saveLocationPicture,
  saveNavigationAreas,
} from '../contract/api.ts';
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
