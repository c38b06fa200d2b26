import { inject, injectable } from 'inversify';
import { action, makeObservable, observableRef, runInAction } from 'mobx';
import { ApiError, HttpClient } from '#core/web';
import type { Marker, MarkerFile, MarkerShape, WrittenMarker } from '#plugins/vr';
import type { deleteMarker, listMarkers, putMarker } from '#plugins/vr/api';
import { MarkerDraft } from './marker-draft.ts';

/** Name of the address layer with the uid of the selected marker. */
export const markerLayer = 'marker';

/** Milliseconds: a large document over a slow connection. */
const uploadTimeout = 10 * 60_000;

/** The markers of the tour, and the edited one. Observable. */
@injectable()
export class MarkerStore {
  all: readonly Marker[] = [];
  state: 'initial' | 'loading' | 'ready' | 'failed' = 'initial';
  draft: MarkerDraft | undefined;
  #location: string | undefined;
  readonly #http: HttpClient;

  constructor(@inject(HttpClient) http: HttpClient) {
    this.#http = http;
    makeObservable<this, 'list'>(this, {
      all: observableRef,
      state: observableRef,
      draft: observableRef,
      begin: action,
      edit: action,
      cancel: action,
      list: action,
    });
  }

  /** Loads once per location, and again after a failure. */
  async load(location: string): Promise<void> {
    if (this.#location === location && this.state !== 'failed') return;
    this.#location = location;
    runInAction(() => {
      this.all = [];
      this.state = 'loading';
      this.draft = undefined;
    });
    const found = await this.#http
      .call<typeof listMarkers>('GET', '/api/vr/:location/markers', { params: { location } })
      .catch(() => undefined);
    if (this.#location !== location) return;
    runInAction(() => {
      this.all = found ?? [];
      this.state = found ? 'ready' : 'failed';
    });
  }

  begin(shape: MarkerShape, location: string): void {
    this.draft = new MarkerDraft({ uid: crypto.randomUUID(), location, shape });
  }

  edit(marker: Marker): void {
    this.draft = new MarkerDraft({ uid: marker.uid, location: marker.location, shape: marker.shape, before: marker });
  }

  cancel(): void {
    this.draft = undefined;
  }

  /**
   * Saves the draft with this input. Rejects with `ApiError` and keeps the draft. After a conflict, the list shows the
   * stored version.
   */
  async save(fields: Pick<WrittenMarker, 'kind' | 'name' | 'text' | 'target' | 'file'>): Promise<Marker> {
    const { draft } = this;
    if (!draft) throw new Error('There is no marker to save.');
    const { uid, location, shape, before } = draft;
    const body = { ...fields, shape, points: [...draft.points], version: before?.version ?? 0 };
    try {
      const saved = await this.#http.call<typeof putMarker>('PUT', '/api/vr/:location/markers/:uid', {
        params: { location, uid },
        body,
      });
      this.list(saved);
      if (this.draft === draft) this.cancel();
      return saved;
    } catch (error) {
      if (error instanceof ApiError && error.status === 409 && error.body?.current !== undefined)
        this.list(error.body.current as Marker);
      throw error;
    }
  }

  async remove({ uid, location }: Marker): Promise<void> {
    await this.#http.call<typeof deleteMarker>('DELETE', '/api/vr/:location/markers/:uid', {
      params: { location, uid },
    });
    runInAction(() => {
      this.all = this.all.filter((marker) => marker.uid !== uid);
      if (this.draft?.uid === uid) this.draft = undefined;
    });
  }

  private list(saved: Marker): void {
    this.all = [...this.all.filter(({ uid }) => uid !== saved.uid), saved].toSorted((a, b) =>
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
      timeout: uploadTimeout,
    });
  }
}
