import type { undoChange } from '#core/api';
import { readConflict, type LastChangeStore } from '#core/ui-data';
import { Resource, sendFiles, type HttpClient } from '#core/web';
import type { BackgroundKind, Backgrounds, BackgroundsSaved } from '#plugins/media';
import type {
  arrangeBackgrounds,
  arrangeLoginBackgrounds,
  getBackgrounds,
  getLoginBackgrounds,
} from '#plugins/media/api';

/** The screen whose backgrounds are edited. */
export type EditedSubject =
  | { readonly kind: 'LOGIN' }
  | { readonly kind: BackgroundKind; readonly location: string; readonly name: string };

export interface UploadOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
  /** Id of the file whose place it takes. */
  readonly replaces?: string | undefined;
}

/**
 * Loads and changes the backgrounds of one screen, and reports each change so that it can be undone. All methods reject
 * with `ApiError`; after a conflict the resource has the present backgrounds.
 */
export class BackgroundEditor {
  readonly resource: Resource<Backgrounds>;
  readonly #http: HttpClient;
  readonly #changes: LastChangeStore;
  readonly #subject: EditedSubject;

  constructor(http: HttpClient, changes: LastChangeStore, subject: EditedSubject) {
    this.#http = http;
    this.#changes = changes;
    this.#subject = subject;
    this.resource = new Resource((signal) => this.#load(signal));
  }

  get kind(): EditedSubject['kind'] {
    return this.#subject.kind;
  }

  upload(file: File, { replaces, ...options }: UploadOptions): Promise<void> {
    const query = { version: this.#version, ...(replaces === undefined ? {} : { replaces }) };
    return this.#finish(
      sendFiles<BackgroundsSaved>(this.#http, `${this.#address}/images`, [file], { ...options, query }),
    );
  }

  /** Sets the order of files. Those that are left out are removed. */
  arrange(files: readonly string[]): Promise<void> {
    const subject = this.#subject;
    const body = { files: [...files], version: Number(this.#version) };
    return this.#finish(
      subject.kind === 'LOGIN'
        ? this.#http.call<typeof arrangeLoginBackgrounds>('PUT', '/api/media/login-backgrounds', { body })
        : this.#http.call<typeof arrangeBackgrounds>('PUT', '/api/media/locations/:location/backgrounds/:kind', {
            params: { location: subject.location, kind: subject.kind },
            body,
          }),
    );
  }

  get #version(): string {
    return String(this.resource.value?.version ?? 0);
  }

  get #address(): string {
    const subject = this.#subject;
    return subject.kind === 'LOGIN'
      ? '/api/media/login-backgrounds'
      : `/api/media/locations/${encodeURIComponent(subject.location)}/backgrounds/${subject.kind}`;
  }

  async #load(signal: AbortSignal): Promise<Backgrounds> {
    const subject = this.#subject;
    if (subject.kind === 'LOGIN')
      return this.#http.call<typeof getLoginBackgrounds>('GET', '/api/media/login-backgrounds', {}, { signal });
    const reply = await this.#http.call<typeof getBackgrounds>(
      'GET',
      '/api/media/locations/:location/backgrounds',
      { params: { location: subject.location } },
      { signal },
    );
    return reply[subject.kind];
  }

  async #finish(call: Promise<BackgroundsSaved>): Promise<void> {
    try {
      const { change, backgrounds } = await call;
      this.resource.update(() => backgrounds);
      if (change !== null) this.#report(change);
    } catch (cause) {
      const current = readConflict<Backgrounds>(cause);
      if (current) this.resource.update(() => current);
      throw cause;
    }
  }

  #report(change: string): void {
    const subject = this.#subject;
    this.#changes.report({
      uids: [change],
      texts: {
        done: `media.backgrounds.done.${subject.kind}`,
        undone: `media.backgrounds.undone.${subject.kind}`,
      },
      values: { name: subject.kind === 'LOGIN' ? '' : subject.name },
      undo: async (uid) => {
        const { change: undoing } = await this.#http.call<typeof undoChange>('POST', '/api/changes/:change/undo', {
          params: { change: uid },
          body: {},
        });
        await this.resource.load();
        return undoing ?? uid;
      },
    });
  }
}
