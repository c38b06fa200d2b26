import { serverPlugin } from '#core/server';
import { deleteAnnotation, deleteMeasurement, listAnnotations, listMeasurements, putAnnotation, putComment, putMeasurement } from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { createMeasurement } from './migrations/0001-create-measurement.ts';
import { createAnnotation } from './migrations/0002-create-annotation.ts';
import { annotationsAt, keepAnnotation, keepComment, removeAnnotation } from './queries/annotations.ts';
import { keepMeasurement, measurementsAt, removeMeasurement } from './queries/measurements.ts';

export default serverPlugin<typeof manifest>()({
  migrations: [createMeasurement, createAnnotation],
  api: (api, context) => {
    api.serve(listMeasurements, ({ caller, params }) => measurementsAt(context, caller, params.location));
    api.serve(putMeasurement, ({ caller, params, body }) => keepMeasurement(context, caller, params.location, params.uid, body));
    api.serve(deleteMeasurement, async ({ caller, params }) => {
      await removeMeasurement(context, caller, params.location, params.uid);
      return {};
    });
    api.serve(listAnnotations, ({ caller, params }) => annotationsAt(context, caller, params.location));
    api.serve(putAnnotation, ({ caller, params, body }) => keepAnnotation(context, caller, params.location, params.uid, body));
    api.serve(deleteAnnotation, async ({ caller, params }) => {
      await removeAnnotation(context, caller, params.location, params.uid);
      return {};
    });
    api.serve(putComment, ({ caller, params, body }) => keepComment(context, caller, params, body.text));
  },
});
