import type { HttpClient } from '#core/web';
import type { Annotation, AnnotationChange, AnnotationComment, AnnotationInput } from '#plugins/annotate';
import type {
  annotationChanged,
  deleteAnnotation,
  listAnnotations,
  putAnnotation,
  putComment,
} from '#plugins/annotate/api';
import { toStoredFields, SyncedList, type Listed, type SyncedListOptions } from '../../stores/synced-list.ts';

export type ListedAnnotation = Listed<Annotation>;

/** The annotations of a tour with their comments. */
export class AnnotationList extends SyncedList<AnnotationInput, Annotation, AnnotationChange> {
  readonly #http: HttpClient;

  constructor(options: SyncedListOptions) {
    const { http } = options;
    super(
      {
        outbox: 'annotate.annotationOutbox',
        topic: 'annotate.annotationChanged' satisfies (typeof annotationChanged)['topic'],
        list: (location, query) =>
          http.call<typeof listAnnotations>('GET', '/api/annotate/:location/annotations', {
            params: { location },
            query,
          }),
        put: (location, uid, body) =>
          http.call<typeof putAnnotation>('PUT', '/api/annotate/:location/annotations/:uid', {
            params: { location, uid },
            body,
          }),
        remove: (location, uid) =>
          http.call<typeof deleteAnnotation>('DELETE', '/api/annotate/:location/annotations/:uid', {
            params: { location, uid },
          }),
        toInput: ({ kind, name, text, temperature, status, points, tour, node, view, shared, version }) => ({
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
        toItem: (input, storedFields, previous) => ({
          ...input,
          ...toStoredFields(storedFields),
          comments: previous?.comments ?? [],
        }),
        isComplete: ({ comments }, change) => comments.length >= change.comments,
      },
      options,
    );
    this.#http = http;
  }

  /** Saves a comment once for each uid. @throws ApiError if the server does not save it */
  async saveComment(uid: string, commentUid: string, text: string): Promise<AnnotationComment> {
    const location = this.all.find((annotation) => annotation.uid === uid)?.location ?? '';
    const savedComment = await this.#http.call<typeof putComment>(
      'PUT',
      '/api/annotate/:location/annotations/:uid/comments/:comment',
      { params: { location, uid, comment: commentUid }, body: { text } },
    );
    this.replace(uid, (annotation) => ({
      ...annotation,
      comments: [...annotation.comments.filter((comment) => comment.uid !== savedComment.uid), savedComment],
    }));
    return savedComment;
  }
}
