import type { BrowserStorage, HttpClient } from '#core/web';
import type { Annotation, AnnotationComment, WrittenAnnotation } from '#plugins/annotate';
import type { deleteAnnotation, listAnnotations, putAnnotation, putComment } from '#plugins/annotate/api';
import { keptOf, SyncedList, type Listed } from '../../sync/synced-list.ts';
import type { Writer } from '../../sync/writer.ts';

export type ListedAnnotation = Listed<Annotation>;

/** The annotations of a tour with their comments. */
export class AnnotationList extends SyncedList<WrittenAnnotation, Annotation> {
  readonly #http: HttpClient;

  constructor(http: HttpClient, storage: BrowserStorage, me: () => Writer) {
    super(
      {
        outbox: 'annotate.annotationOutbox',
        list: (location) =>
          http.call<typeof listAnnotations>('GET', '/api/annotate/:location/annotations', { params: { location } }),
        put: (location, uid, body) =>
          http.call<typeof putAnnotation>('PUT', '/api/annotate/:location/annotations/:uid', {
            params: { location, uid },
            body,
          }),
        remove: (location, uid) =>
          http.call<typeof deleteAnnotation>('DELETE', '/api/annotate/:location/annotations/:uid', {
            params: { location, uid },
          }),
        writtenOf: ({ kind, name, text, temperature, status, points, tour, node, view, shared, version }) => ({
          kind,
          name,
          text,
          temperature,
          status,
          points,
          tour,
          node,
          view,
          shared,
          version,
        }),
        itemOf: (written, kept, known) => ({ ...written, ...keptOf(kept), comments: known?.comments ?? [] }),
      },
      storage,
      me,
    );
    this.#http = http;
  }

  /** Rejects with an `ApiError` where it is not kept; sent again under the same uid it is kept once. */
  async comment(uid: string, comment: string, text: string): Promise<AnnotationComment> {
    const location = this.all.find((each) => each.uid === uid)?.location ?? '';
    const kept = await this.#http.call<typeof putComment>(
      'PUT',
      '/api/annotate/:location/annotations/:uid/comments/:comment',
      { params: { location, uid, comment }, body: { text } },
    );
    this.replace(uid, (each) => ({
      ...each,
      comments: [...each.comments.filter((other) => other.uid !== kept.uid), kept],
    }));
    return kept;
  }
}
