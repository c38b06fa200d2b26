import type { deleteMeasurement, listMeasurements, measurementChanged, putMeasurement } from '#plugins/annotate/api';
import type { Measurement, MeasurementInput } from '#plugins/annotate';
import { toStoredFields, SyncedList, type Listed, type SyncedListOptions } from '../../stores/synced-list.ts';

export type ListedMeasurement = Listed<Measurement>;

/** The measurements of a tour. */
export class MeasurementList extends SyncedList<MeasurementInput, Measurement> {
  constructor(options: SyncedListOptions) {
    const { http } = options;
    super(
      {
        outbox: 'annotate.outbox',
        topic: 'annotate.measurementChanged' satisfies (typeof measurementChanged)['topic'],
        list: (location, query) =>
          http.call<typeof listMeasurements>('GET', '/api/annotate/:location/measurements', {
            params: { location },
            query,
          }),
        put: (location, uid, body) =>
          http.call<typeof putMeasurement>('PUT', '/api/annotate/:location/measurements/:uid', {
            params: { location, uid },
            body,
          }),
        remove: (location, uid) =>
          http.call<typeof deleteMeasurement>('DELETE', '/api/annotate/:location/measurements/:uid', {
            params: { location, uid },
          }),
        toInput: ({ kind, name, points, result, unit, tour, node, view, shared, version }) => ({
          kind,
          name,
          points,
          result,
          unit,
          tour,
          node,
          view,
          shared,
          version,
        }),
        toItem: (input, storedFields) => ({ ...input, ...toStoredFields(storedFields) }),
      },
      options,
    );
  }
}
