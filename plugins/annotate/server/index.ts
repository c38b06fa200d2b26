import { serverPlugin } from '#core/server';
import { deleteMeasurement, listMeasurements, putMeasurement } from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { createMeasurement } from './migrations/0001-create-measurement.ts';
import { keepMeasurement, measurementsAt, removeMeasurement } from './queries/measurements.ts';

export default serverPlugin<typeof manifest>()({
  migrations: [createMeasurement],
  api: (api, context) => {
    api.serve(listMeasurements, ({ caller, params }) => measurementsAt(context, caller, params.location));
    api.serve(putMeasurement, ({ caller, params, body }) => keepMeasurement(context, caller, params.location, params.uid, body));
    api.serve(deleteMeasurement, async ({ caller, params }) => {
      await removeMeasurement(context, caller, params.location, params.uid);
      return {};
    });
  },
});
