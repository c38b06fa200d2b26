import { serverPlugin } from '#core/server';
import { deleteMarker, listMarkers, putMarker, uploadDocument } from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { createMarker } from './migrations/0001-create-marker.ts';
import { documentRules, receiveDocument } from './queries/documents.ts';
import { saveMarker, markersAt, removeMarker } from './queries/markers.ts';
import { createMarkerContent } from './site-contents/marker-content.ts';
import type { VrTables } from './tables.ts';

export default serverPlugin<typeof manifest, VrTables>()({
  migrations: [createMarker],
  api: (api, context) => {
    context.registerLocationContents('vr.contents.markers', 'marker');
    context.registerSiteContent(createMarkerContent(context));
    api.serve(listMarkers, ({ caller, params }) => markersAt(context, caller, params.location));
    api.serve(putMarker, ({ caller, params, body }) => saveMarker(context, caller, params.location, params.uid, body));
    api.serve(deleteMarker, async ({ params }) => {
      await removeMarker(context, params.location, params.uid);
      return {};
    });
    api.serveUpload(uploadDocument, documentRules, ({ params }, upload) =>
      receiveDocument(context, params.location, upload),
    );
  },
  demo: () => import('./demo.ts'),
});
