import { inject, injectable } from 'inversify';
import { action, makeObservable, observableRef, runInAction } from 'mobx';
import { ApiError, HttpClient } from '#core/web';
import type { Marker, MarkerFile, MarkerShape, MarkerInput } from '#plugins/vr';
import type { deleteMarker, listMarkers, putMarker } from '#plugins/vr/api';
import { MarkerDraft } from './marker-draft.ts';

/** Name of the view layer in the URL with the uid of the selected marker. */
export const markerLayer = 'marker';

/** Long enough for a large document over a slow connection. */
const uploadTimeoutMs = 10 * 60_000;

/** The observable markers of the tour, and the draft of the edited marker. */
@injectable()
export class MarkerStore {
  all: readonly Marker[] = [];
  state: 'initial' | 'loading' | 'ready' | 'failed' = 'initial';
  draft: MarkerDraft | undefined;
  #location: string | undefined;
  readonly #http: HttpClient;

  constructor(@inject(HttpClient) http: HttpClient) {
    this.#http = http;
    makeObservable<this, 'upsert'>(this, {
      all: observableRef,
      state: observableRef,
      draft: observableRef,
      startDraft: action,
      edit: action,
      cancel: action,
      upsert: action,
    });
  }

  /** Loads the markers once per location, and again after a failure. */
  async load(location: string): Promise<void> {
    if (this.#location === location && this.state !== 'failed') return;
    this.#location = location;
    runInAction(() => {
      this.all = [];
      this.state = 'loading';
      this.draft = undefined;
    });
    const markers = await this.#http
      .call<typeof listMarkers>('GET', '/api/vr/:location/markers', { params: { location } })
      .catch(() => undefined);
    if (this.#location !== location) return;
    runInAction(() => {
      this.all = markers ?? [];
      this.state = markers ? 'ready' : 'failed';
    });
  }

  startDraft(shape: MarkerShape, location: string): void {
    this.draft = new MarkerDraft({ uid: crypto.randomUUID(), location, shape });
  }

  edit(marker: Marker): void {
    this.draft = new MarkerDraft({ uid: marker.uid, location: marker.location, shape: marker.shape, original: marker });
  }

  cancel(): void {
    this.draft = undefined;
  }

  /**
   * Saves the draft with the input of the form. If it rejects with `ApiError`, the draft remains. After a conflict, the
   * list has the stored version.
   */
  async save(fields: Pick<MarkerInput, 'kind' | 'name' | 'text' | 'target' | 'file'>): Promise<Marker> {
    const { draft } = this;
    if (!draft) throw new Error('No marker is being edited.');
    const { uid, location, shape, original } = draft;
    const body = { ...fields, shape, points: [...draft.points], version: original?.version ?? 0 };
    try {
      const savedMarker = await this.#http.call<typeof putMarker>('PUT', '/api/vr/:location/markers/:uid', {
        params: { location, uid },
        body,
      });
      this.upsert(savedMarker);
      if (this.draft === draft) this.cancel();
      return savedMarker;
    } catch (error) {
      if (error instanceof ApiError && error.status === 409 && error.body?.current !== undefined)
        this.upsert(error.body.current as Marker);
      throw error;
    }
  }

  async deleteMarker({ uid, location }: Marker): Promise<void> {
    await this.#http.call<typeof deleteMarker>('DELETE', '/api/vr/:location/markers/:uid', {
      params: { location, uid },
    });
    runInAction(() => {
      this.all = this.all.filter((marker) => marker.uid !== uid);
      if (this.draft?.uid === uid) this.draft = undefined;
    });
  }

  private upsert(savedMarker: Marker): void {
    this.all = [...this.all.filter(({ uid }) => uid !== savedMarker.uid), savedMarker].toSorted((a, b) =>
      a.name.localeCompare(b.name),
    );
  }

  upload(location: string, file: File): Promise<MarkerFile> {
    const data = new FormData();
    data.append('file', file);
    return this.#http.raw<MarkerFile>({
      method: 'POST',
      url: `/api/vr/${encodeURIComponent(location)}/documents`,
      data,
      timeout: uploadTimeoutMs,
    });
  }
}
