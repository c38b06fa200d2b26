import { serverPlugin } from '#core/server';
import { listLocationPictures } from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { loadLocationPictures } from './handlers/list-location-pictures.ts';
import { createLocationPicture } from './migrations/0001-create-location-picture.ts';
import type { LocationsTables } from './tables.ts';

export default serverPlugin<typeof manifest, LocationsTables>()({
  migrations: [createLocationPicture],
  api: (api, context) => {
    api.serve(listLocationPictures, ({ caller }) => loadLocationPictures(context, caller));
  },
  demo: () => import('./demo.ts'),
});
