import { serverPlugin } from '#core/server';
import {
  deleteAnnotation,
  deleteMeasurement,
  deleteSnapshot,
  listAnnotations,
  listMeasurements,
  listSnapshots,
  putAnnotation,
  putComment,
  putMeasurement,
  putSnapshot,
  putSnapshotPicture,
} from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { createItems } from './migrations/0001-create-items.ts';
import { annotationsAt, saveAnnotation, saveComment, removeAnnotation } from './handlers/annotations.ts';
import { saveMeasurement, measurementsAt, removeMeasurement } from './handlers/measurements.ts';
import {
  assertSnapshotReadable,
  saveSnapshot,
  saveSnapshotPicture,
  removeSnapshot,
  snapshotGuard,
  snapshotsAt,
  snapshotUpload,
} from './handlers/snapshots.ts';
import { createItemContent } from './site-contents/item-content.ts';
import type { AnnotateTables } from './tables.ts';

const toEmptyReply = (): Record<string, never> => ({});

export default serverPlugin<typeof manifest, AnnotateTables>()({
  migrations: [createItems],
  api: (api, context) => {
    context.registerLocationContents('annotate.contents.measurements', 'measurement');
    context.registerLocationContents('annotate.contents.annotations', 'annotation');
    context.registerLocationContents('annotate.contents.snapshots', 'snapshot');
    context.registerSiteContent(createItemContent(context));
    api.serve(listMeasurements, ({ caller, params, query }) => measurementsAt(context, caller, params.location, query));
    api.serve(putMeasurement, ({ caller, params, body }) =>
      saveMeasurement(context, caller, params.location, params.uid, body),
    );
    api.serve(deleteMeasurement, ({ caller, params }) =>
      removeMeasurement(context, caller, params.location, params.uid).then(toEmptyReply),
    );

    api.serve(listAnnotations, ({ caller, params, query }) => annotationsAt(context, caller, params.location, query));
    api.serve(putAnnotation, ({ caller, params, body }) =>
      saveAnnotation(context, caller, params.location, params.uid, body),
    );
    api.serve(deleteAnnotation, ({ caller, params }) =>
      removeAnnotation(context, caller, params.location, params.uid).then(toEmptyReply),
    );
    api.serve(putComment, ({ caller, params, body }) => saveComment(context, caller, params, body.text));

    context.guardFiles(snapshotGuard, (read) => assertSnapshotReadable(context, read));
    api.serve(listSnapshots, ({ caller, params, query }) => snapshotsAt(context, caller, params.location, query));
    api.serve(putSnapshot, ({ caller, params, body }) =>
      saveSnapshot(context, caller, params.location, params.uid, body),
    );
    api.serveUpload(putSnapshotPicture, snapshotUpload, ({ caller, params }, upload) =>
      saveSnapshotPicture(context, caller, params, upload),
    );
    api.serve(deleteSnapshot, ({ caller, params }) =>
      removeSnapshot(context, caller, params.location, params.uid).then(toEmptyReply),
    );
  },
});
