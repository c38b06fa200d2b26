import { action, computed, makeObservable, observableRef } from 'mobx';
import type { BodyOf } from '#core';
import { ApiError, Resource, type HttpClient } from '#core/web';
import type {
  applyImport,
  cancelImport,
  updateImportRow,
  chooseImportColumns,
  createErrorWorkbook,
  forgetImportWord,
  getImport,
  listImportRows,
  leaveOutImportRows,
  Import,
  PreparedFile,
  readImportAgain,
  removeImportFile,
  renameImportReferences,
  replaceImportValues,
  undoImport,
  UndoReport,
} from '../../contract/api.ts';
import type { ImportValue } from '../../contract/index.ts';

/** Statuses of refusals after which the import is loaded again: it was changed meanwhile, or the access has ended. */
const outdatedStatuses: readonly number[] = [403, 404, 409];

/** Replaces a value of one column in all rows of a sheet. */
export type ValueReplacement = BodyOf<typeof replaceImportValues>;

/** A corrected code that other cells still name. */
export type RenamedCode = Omit<BodyOf<typeof renameImportReferences>, 'dryRun'>;

/** An offer to also change the cells that name the former code of a corrected row. */
export type RenameOffer = RenamedCode & {
  /** Number of cells that name the former code. */
  readonly cells: number;
  /** The corrected row; undefined if all rows with the code were corrected. */
  readonly row: string | undefined;
  /** Whether the new code has an error itself. The offer is then hidden until that is corrected. */
  readonly isOnHold: boolean;
};

/** Number of rows with errors that are searched for a corrected code. */
const maxSearchedRows = 200;

/** The import that a person works on, with all actions. Methods reject with `ApiError` if the server refuses. */
export class OpenImport {
  readonly resource: Resource<Import>;
  /** Why the last action failed. Only for actions that have no place of their own for the message. */
  failure: unknown = undefined;
  /** Offers that are not answered yet, oldest first. */
  offers: readonly RenameOffer[] = [];
  readonly #http: HttpClient;
  #offerQueue: Promise<void> = Promise.resolve();
  readonly #params: { readonly batch: string };

  constructor(http: HttpClient, uid: string) {
    this.#http = http;
    this.#params = { batch: uid };
    this.resource = new Resource((signal) =>
      http.call<typeof getImport>('GET', '/api/imports/:batch', { params: this.#params }, { signal }),
    );
    makeObservable(this, {
      failure: observableRef,
      offers: observableRef,
      value: computed,
      currentOffer: computed,
      setFailure: action,
      setOffers: action,
    });
  }

  get uid(): string {
    return this.#params.batch;
  }

  get value(): Import | undefined {
    return this.resource.value;
  }

  /** The offer to answer now. */
  get currentOffer(): RenameOffer | undefined {
    return this.offers.find(({ isOnHold }) => !isOnHold);
  }

  setFailure(failure: unknown): void {
    this.failure = failure;
  }

  setOffers(offers: readonly RenameOffer[]): void {
    this.offers = offers;
  }

  dismissOffer(offer: RenameOffer): void {
    this.setOffers(this.offers.filter((each) => each !== offer));
  }

  load(): Promise<void> {
    return this.resource.load();
  }

  async chooseColumns(body: BodyOf<typeof chooseImportColumns>): Promise<void> {
    const { resource } = this;
    const updatedImport = await this.#send(
      this.#http.call<typeof chooseImportColumns>('PUT', '/api/imports/:batch/columns', {
        params: this.#params,
        body,
      }),
    );
    resource.update(() => updatedImport);
  }

  /** Reads the files again with another layout, or as other sheets. */
  async readAgain(body: BodyOf<typeof readImportAgain>): Promise<void> {
    const { resource } = this;
    const updatedImport = await this.#send(
      this.#http.call<typeof readImportAgain>('POST', '/api/imports/:batch/read-again', { params: this.#params, body }),
    );
    resource.update(() => updatedImport);
  }

  /** Removes a file; the others are read again. */
  async removeFile(name: string): Promise<void> {
    const { resource } = this;
    const updatedImport = await this.#send(
      this.#http.call<typeof removeImportFile>('DELETE', '/api/imports/:batch/files', {
        params: this.#params,
        query: { name },
      }),
    );
    resource.update(() => updatedImport);
  }

  /** Corrects one cell. */
  async changeCell(row: string, column: string, value: ImportValue): Promise<void> {
    await this.#send(
      this.#http.call<typeof updateImportRow>('PATCH', '/api/imports/:batch/rows/:row', {
        params: { ...this.#params, row },
        body: { column, value },
      }),
    );
    await this.load();
  }

  /** Replaces a value in all rows of a sheet. Resolves to the number of changed rows. */
  async replace(body: ValueReplacement): Promise<number> {
    const { rows } = await this.#send(
      this.#http.call<typeof replaceImportValues>('POST', '/api/imports/:batch/replace', {
        params: this.#params,
        body,
      }),
    );
    await this.load();
    return rows;
  }

  /** Replaces codes, each also in the cells that name it. Resolves to the number of changed rows. */
  async replaceCodes(codes: readonly RenamedCode[]): Promise<number> {
    let rows = 0;
    try {
      for (const code of codes) {
        const reply = await this.#send(
          this.#http.call<typeof replaceImportValues>('POST', '/api/imports/:batch/replace', {
            params: this.#params,
            body: code,
          }),
        );
        rows += reply.rows;
        await this.#renameReferences({ ...code, dryRun: false });
      }
    } finally {
      await this.load();
    }
    return rows;
  }

  /** Reads a word as it is written, and no longer as chosen in an earlier import. */
  async forgetWord(body: BodyOf<typeof forgetImportWord>): Promise<void> {
    const { resource } = this;
    const updatedImport = await this.#send(
      this.#http.call<typeof forgetImportWord>('POST', '/api/imports/:batch/forget-word', {
        params: this.#params,
        body,
      }),
    );
    resource.update(() => updatedImport);
  }

  /** Leaves rows out or includes them again. Resolves to their number. */
  async setLeftOut(body: BodyOf<typeof leaveOutImportRows>): Promise<number> {
    const { rows } = await this.#send(
      this.#http.call<typeof leaveOutImportRows>('POST', '/api/imports/:batch/left-out', {
        params: this.#params,
        body,
      }),
    );
    await this.load();
    return rows;
  }

  /**
   * Offers to also change the cells that name the former code. `row` is the corrected row; without it, all rows with
   * the code were corrected. If an earlier offer led to the code that is now corrected, it gets the newest code. The
   * correction is saved already: if a request fails here, nothing is offered.
   */
  offerRename(code: RenamedCode, row?: string): Promise<void> {
    this.#offerQueue = this.#offerQueue.then(async () => {
      try {
        const isOnHold = await this.#hasError(code);
        const { cells } = await this.#renameReferences({ ...code, dryRun: true });
        const updatedOffers = this.offers.map((offer) =>
          isSameCode({ ...offer, from: offer.to }, code) && (row === undefined || offer.row === row)
            ? { ...offer, to: code.to, isOnHold }
            : offer,
        );
        const allOffers = [
          ...updatedOffers.filter((offer) => !isSameCode(offer, code)),
          { ...code, cells, row, isOnHold },
        ];
        // An offer is dropped if no cell names the code, or if the code was changed back.
        this.setOffers(
          allOffers.filter((offer) => offer.cells > 0 && !isSameCode(offer, { ...offer, from: offer.to })),
        );
      } catch {
        // An offer is a convenience.
      }
    });
    return this.#offerQueue;
  }

  /** Changes the cells of an offer. Resolves to their number. */
  async acceptOffer(offer: RenameOffer): Promise<number> {
    const { sheet, column, from, to } = offer;
    const { cells } = await this.#renameReferences({ sheet, column, from, to, dryRun: false });
    this.dismissOffer(offer);
    await this.load();
    return cells;
  }

  async #hasError({ sheet, column, to }: RenamedCode): Promise<boolean> {
    const { rows } = await this.#http.call<typeof listImportRows>('GET', '/api/imports/:batch/rows', {
      params: this.#params,
      query: { sheet, severity: 'ERROR', find: to.slice(0, 200), limit: maxSearchedRows },
    });
    return rows.some(
      ({ values, findings }) =>
        String(values[column]).toLowerCase() === to.toLowerCase() &&
        findings.some((finding) => finding.column === column && finding.severity === 'ERROR'),
    );
  }

  #renameReferences(body: BodyOf<typeof renameImportReferences>) {
    return this.#send(
      this.#http.call<typeof renameImportReferences>('POST', '/api/imports/:batch/references', {
        params: this.#params,
        body,
      }),
    );
  }

  async apply(body: BodyOf<typeof applyImport>): Promise<void> {
    const appliedImport = await this.#send(
      this.#http.call<typeof applyImport>('POST', '/api/imports/:batch/apply', { params: this.#params, body }),
    );
    this.setFailure(undefined);
    this.resource.update(() => appliedImport);
  }

  async cancel(): Promise<void> {
    const cancelledImport = await this.#send(
      this.#http.call<typeof cancelImport>('POST', '/api/imports/:batch/cancel', { params: this.#params, body: {} }),
    );
    this.resource.update(() => cancelledImport);
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

const isSameCode = (code: RenamedCode, other: RenamedCode): boolean =>
  code.sheet === other.sheet && code.column === other.column && code.from.toLowerCase() === other.from.toLowerCase();

/** Undoes an import. With `dryRun` it only reports what would be undone. */
export function undoImportRows(http: HttpClient, batch: string, dryRun: boolean): Promise<UndoReport> {
  return http.call<typeof undoImport>('POST', '/api/imports/:batch/undo', { params: { batch }, body: { dryRun } });
}
