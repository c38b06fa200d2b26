import { readConflict, sendUndo, type LastChangeStore } from '#core/ui-data';
import { Resource, sendFiles, type HttpClient } from '#core/web';
import type { BackgroundKind, Backgrounds, BackgroundsSaved } from '#plugins/media';
import type {
  saveBackgroundList,
  saveLoginBackgroundList,
  getBackgrounds,
  getLoginBackgrounds,
} from '#plugins/media/api';

/** The screen whose backgrounds are edited. */
export type BackgroundTarget =
  | { readonly kind: 'LOGIN' }
  | { readonly kind: BackgroundKind; readonly location: string; readonly name: string };

export interface UploadOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
  /** Id of the existing file that the upload replaces. */
  readonly replaces?: string | undefined;
}

/**
 * Loads and changes the backgrounds of one screen, and reports each change so that it can be undone. All methods reject
 * with `ApiError`; after a version conflict, `resource` holds the server's current backgrounds.
 */
export class BackgroundEditor {
  readonly resource: Resource<Backgrounds>;
  readonly #http: HttpClient;
  readonly #lastChange: LastChangeStore;
  readonly #target: BackgroundTarget;

  constructor(http: HttpClient, lastChange: LastChangeStore, target: BackgroundTarget) {
    this.#http = http;
    this.#lastChange = lastChange;
    this.#target = target;
    this.resource = new Resource((signal) => this.#load(signal));
  }

  get kind(): BackgroundTarget['kind'] {
    return this.#target.kind;
  }

  upload(file: File, { replaces, ...options }: UploadOptions): Promise<void> {
    const query = { version: this.#version, ...(replaces === undefined ? {} : { replaces }) };
    return this.#applyReply(
      sendFiles<BackgroundsSaved>(this.#http, `${this.#url}/images`, [file], { ...options, query }),
    );
  }

  /** Saves the order of images. Images that are not in the list are removed. */
  saveImageList(files: readonly string[]): Promise<void> {
    const target = this.#target;
    const body = { files: [...files], version: Number(this.#version) };
    return this.#applyReply(
      target.kind === 'LOGIN'
        ? this.#http.call<typeof saveLoginBackgroundList>('PUT', '/api/media/login-backgrounds', { body })
        : this.#http.call<typeof saveBackgroundList>('PUT', '/api/media/locations/:location/backgrounds/:kind', {
            params: { location: target.location, kind: target.kind },
            body,
          }),
    );
  }

  get #version(): string {
    return String(this.resource.value?.version ?? 0);
  }

  get #url(): string {
    const target = this.#target;
    return target.kind === 'LOGIN'
      ? '/api/media/login-backgrounds'
      : `/api/media/locations/${encodeURIComponent(target.location)}/backgrounds/${target.kind}`;
  }

  async #load(signal: AbortSignal): Promise<Backgrounds> {
    const target = this.#target;
    if (target.kind === 'LOGIN')
      return this.#http.call<typeof getLoginBackgrounds>('GET', '/api/media/login-backgrounds', {}, { signal });
    const reply = await this.#http.call<typeof getBackgrounds>(
      'GET',
      '/api/media/locations/:location/backgrounds',
      { params: { location: target.location } },
      { signal },
    );
    return reply[target.kind];
  }

  async #applyReply(call: Promise<BackgroundsSaved>): Promise<void> {
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
    const target = this.#target;
    this.#lastChange.report({
      uids: [change],
      texts: {
        done: `media.backgrounds.done.${target.kind}`,
        undone: `media.backgrounds.undone.${target.kind}`,
      },
      values: { name: target.kind === 'LOGIN' ? '' : target.name },
      undo: async (uid) => {
        const undoReply = await sendUndo(this.#http, uid);
        await this.resource.load();
        return undoReply;
      },
    });
  }
}
