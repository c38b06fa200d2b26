import { action, computed, makeObservable, observableRef } from 'mobx';
import type { BodyOf } from '#core';
import { ApiError, Resource, type HttpClient } from '#core/web';
import type {
  applyImport,
  cancelImport,
  updateImportRow,
  chooseImportColumns,
  createErrorWorkbook,
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

/** Refusals that show that the import was changed meanwhile, or that the access to it has ended. */
const outdatedStatuses: readonly number[] = [403, 404, 409];

/** A value of one column in all rows of a sheet. */
export type ReplacedValue = BodyOf<typeof replaceImportValues>;

/** A corrected code that other cells still name. */
export type RenamedCode = Omit<BodyOf<typeof renameImportReferences>, 'dryRun'>;

/** A code that was corrected, with the number of cells that name the former one. */
export type RenameOffer = RenamedCode & {
  readonly cells: number;
  /** The row that was corrected. Undefined if all rows with the code were. */
  readonly row: string | undefined;
  /** Whether the new code has an error, so that nothing is offered until it is corrected too. */
  readonly isHeld: boolean;
};

/** Rows with errors that are searched for a corrected code. */
const maxSearchedRows = 200;

/** One import and what is done with it. Methods reject with `ApiError` if the server refuses. */
export class OpenImport {
  readonly resource: Resource<Import>;
  /** Why the last action failed, for actions without a form of their own. */
  failure: unknown = undefined;
  /** Offers that are not answered yet, oldest first. */
  offers: readonly RenameOffer[] = [];
  readonly #http: HttpClient;
  #offering: Promise<void> = Promise.resolve();
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
      presentOffer: computed,
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
  get presentOffer(): RenameOffer | undefined {
    return this.offers.find(({ isHeld }) => !isHeld);
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

  /** Reads the files again with another layout of the file of a sheet. */
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
        await this.#rename({ ...code, dryRun: false });
      }
    } finally {
      await this.load();
    }
    return rows;
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
   * Offers to change the cells that name the former code of a corrected row too, or of all rows with it. Earlier offers
   * follow if their new code is the one that was corrected. The correction is saved already: if a look-up fails,
   * nothing is offered.
   */
  offerRename(code: RenamedCode, row?: string): Promise<void> {
    this.#offering = this.#offering.then(async () => {
      try {
        const isHeld = await this.#hasError(code);
        const { cells } = await this.#rename({ ...code, dryRun: true });
        const followedOffers = this.offers.map((offer) =>
          isSameCode({ ...offer, from: offer.to }, code) && (row === undefined || offer.row === row)
            ? { ...offer, to: code.to, isHeld }
            : offer,
        );
        const all = [...followedOffers.filter((offer) => !isSameCode(offer, code)), { ...code, cells, row, isHeld }];
        this.setOffers(all.filter((offer) => offer.cells > 0 && !isSameCode(offer, { ...offer, from: offer.to })));
      } catch {
        // An offer is a convenience.
      }
    });
    return this.#offering;
  }

  /** Changes the cells of an offer. Resolves to their number. */
  async acceptOffer(offer: RenameOffer): Promise<number> {
    const { sheet, column, from, to } = offer;
    const { cells } = await this.#rename({ sheet, column, from, to, dryRun: false });
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

  #rename(body: BodyOf<typeof renameImportReferences>) {
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

/** Takes an import back, or tells what that would do. */
export function undoImportRows(http: HttpClient, batch: string, dryRun: boolean): Promise<UndoReport> {
  return http.call<typeof undoImport>('POST', '/api/imports/:batch/undo', { params: { batch }, body: { dryRun } });
}
