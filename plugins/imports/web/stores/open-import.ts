import { action, computed, makeObservable, observableRef } from 'mobx';
import type { BodyOf } from '#core';
import { ApiError, Resource, type HttpClient } from '#core/web';
import type {
  applyImport,
  cancelImport,
  changeImportRow,
  chooseImportColumns,
  createErrorWorkbook,
  getImport,
  Import,
  PreparedFile,
  replaceImportValues,
  undoImport,
  UndoReport,
} from '../../contract/api.ts';
import type { ImportValue } from '../../contract/index.ts';

/** Refusals that show that the import was changed meanwhile, or that the access to it has ended. */
const outdatedStatuses: readonly number[] = [403, 404, 409];

/** A value of one column in all rows of a sheet. */
export type ReplacedValue = BodyOf<typeof replaceImportValues>;

/** One import and what is done with it. Methods reject with `ApiError` if the server refuses. */
export class OpenImport {
  readonly resource: Resource<Import>;
  /** Why the last action failed, for actions without a form of their own. */
  failure: unknown = undefined;
  readonly #http: HttpClient;
  readonly #params: { readonly batch: string };

  constructor(http: HttpClient, uid: string) {
    this.#http = http;
    this.#params = { batch: uid };
    this.resource = new Resource((signal) =>
      http.call<typeof getImport>('GET', '/api/imports/:batch', { params: this.#params }, { signal }),
    );
    makeObservable(this, { failure: observableRef, value: computed, setFailure: action });
  }

  get uid(): string {
    return this.#params.batch;
  }

  get value(): Import | undefined {
    return this.resource.value;
  }

  setFailure(failure: unknown): void {
    this.failure = failure;
  }

  load(): Promise<void> {
    return this.resource.load();
  }

  async chooseColumns(body: BodyOf<typeof chooseImportColumns>): Promise<void> {
    const { resource } = this;
    const changed = await this.#send(
      this.#http.call<typeof chooseImportColumns>('PUT', '/api/imports/:batch/columns', {
        params: this.#params,
        body,
      }),
    );
    resource.update(() => changed);
  }

  /** Corrects one cell. */
  async changeCell(row: string, column: string, value: ImportValue): Promise<void> {
    await this.#send(
      this.#http.call<typeof changeImportRow>('PATCH', '/api/imports/:batch/rows/:row', {
        params: { ...this.#params, row },
        body: { column, value },
      }),
    );
    await this.load();
  }

  /** Resolves to the number of changed rows. */
  async replace(body: ReplacedValue): Promise<number> {
    const { rows } = await this.#send(
      this.#http.call<typeof replaceImportValues>('POST', '/api/imports/:batch/replace', {
        params: this.#params,
        body,
      }),
    );
    await this.load();
    return rows;
  }

  async apply(body: BodyOf<typeof applyImport>): Promise<void> {
    const applied = await this.#send(
      this.#http.call<typeof applyImport>('POST', '/api/imports/:batch/apply', { params: this.#params, body }),
    );
    this.setFailure(undefined);
    this.resource.update(() => applied);
  }

  async cancel(): Promise<void> {
    const cancelled = await this.#send(
      this.#http.call<typeof cancelImport>('POST', '/api/imports/:batch/cancel', { params: this.#params, body: {} }),
    );
    this.resource.update(() => cancelled);
  }

  createErrorWorkbook(language: 'en' | 'fr'): Promise<PreparedFile> {
    return this.#send(
      this.#http.call<typeof createErrorWorkbook>('POST', '/api/imports/:batch/error-workbook', {
        params: this.#params,
        body: { language },
      }),
    );
  }

  /** Loads the import again after a refusal that shows that it is outdated. */
  async #send<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (cause) {
      if (cause instanceof ApiError && outdatedStatuses.includes(cause.status)) await this.load();
      throw cause;
    }
  }
}

/** Takes an import back, or tells what that would do. */
export function undoImportRows(http: HttpClient, batch: string, dryRun: boolean): Promise<UndoReport> {
  return http.call<typeof undoImport>('POST', '/api/imports/:batch/undo', { params: { batch }, body: { dryRun } });
}
