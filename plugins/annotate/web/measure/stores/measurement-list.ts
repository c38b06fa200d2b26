import type { BrowserStorage, HttpClient } from '#core/web';
import type { deleteMeasurement, listMeasurements, putMeasurement } from '#plugins/annotate/api';
import type { Measurement, WrittenMeasurement } from '#plugins/annotate';
import { keptOf, SyncedList, type Listed } from '../../sync/synced-list.ts';
import type { Writer } from '../../sync/writer.ts';

export type ListedMeasurement = Listed<Measurement>;

/** The measurements of a tour. */
export class MeasurementList extends SyncedList<WrittenMeasurement, Measurement> {
  constructor(http: HttpClient, storage: BrowserStorage, me: () => Writer) {
    super(
      {
        outbox: 'annotate.outbox',
        list: (location) =>
          http.call<typeof listMeasurements>('GET', '/api/annotate/:location/measurements', { params: { location } }),
        put: (location, uid, body) =>
          http.call<typeof putMeasurement>('PUT', '/api/annotate/:location/measurements/:uid', {
            params: { location, uid },
            body,
          }),
        remove: (location, uid) =>
          http.call<typeof deleteMeasurement>('DELETE', '/api/annotate/:location/measurements/:uid', {
            params: { location, uid },
          }),
        writtenOf: ({ kind, name, points, result, unit, tour, node, view, shared, version }) => ({
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
        itemOf: (written, kept) => ({ ...written, ...keptOf(kept) }),
      },
      storage,
      me,
    );
  }
}
