import type { Kysely } from 'kysely';
import { invalidRequest } from '#core/server';
import { maxRowsPerSheet, type ImportSheet, type ImportScope } from '#plugins/imports';
import { importsRefusal } from '../../contract/errors.ts';
import { fold } from '../../common/check-value.ts';
import { canBeConstant } from '../../common/constant-columns.ts';
import { addEvidence, type ColumnEvidence } from '../../common/column-readings.ts';
import { findUnitReading } from '../../common/column-units.ts';
import { formatKindTitle } from '../../common/kind-title.ts';
import { findHeaderRow, maxHeaderRow } from '../../common/find-header-row.ts';
import { matchHeaders, toHeaderKey, toHeaderText, type MatchedHeader } from '../../common/match-headers.ts';
import type { SheetRow } from '../adapters/read-import-file.ts';
import { findColumnProblems, listReadings } from '../queries/find-column-problems.ts';
import { isEmptyRow, type RowMapping } from '../commands/map-row.ts';
import { SheetMatcher, type SheetChoices } from '../commands/match-sheets.ts';
import { ReplacedWords, storeReplacedWords } from '../commands/replaced-words.ts';
import { insertRows, rowsPerStep, type RawRow } from '../commands/stage-rows.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import {
  loadConstantChoices,
  loadFormatChoices,
  loadHeaderChoices,
  loadValueChoices,
  type HeaderChoices,
} from '../queries/choices.ts';
import type { BatchFinding, Constants, FileLayout, FileSheet, ImportsTables } from '../tables.ts';

/** Rows by which columns are proposed. */
const sampleRows = 50;
const maxColumns = 200;

interface StagingOptions {
  readonly tables: Kysely<ImportsTables>;
  readonly batch: string;
  readonly kind: AnyKind;
  /** All kinds, of which a workbook may name another one. */
  readonly kinds?: readonly AnyKind[];
  /** What a person chose for sheets of other names. */
  readonly sheetChoices?: SheetChoices;
  readonly scope: ImportScope;
  /** Whether a sheet continues in the next file, as in exports of sites. Each file has its own limit of rows. */
  readonly continued?: boolean;
  /**
   * Whether ambiguous dates and numbers, and lengths in other units, are read as a person chooses for their column, or
   * as its values and header tell.
   */
  readonly readsFormats?: boolean;
  /** Header rows that a person has chosen, by sheet. */
  readonly layouts?: Readonly<Record<string, Pick<FileLayout, 'headerRow'>>>;
  /**
   * Whether the next rows are read while the last ones are inserted. `step` must have a transaction of its own.
   */
  readonly readsAhead?: boolean;
  /** Runs one short transaction, which is refused once another process has taken over. */
  readonly step: (rows: number, write: (transaction: Kysely<ImportsTables>) => Promise<void>) => Promise<void>;
}

type CountedMapping = RowMapping & { readonly replacedWords: ReplacedWords };

/** A sheet that is being read. */
interface OpenSheet {
  readonly sheet: ImportSheet;
  /** The name of its file. */
  readonly file: string | undefined;
  readonly headers: readonly string[];
  readonly headerRow: number;
  /** Columns that were chosen for headers of earlier files. */
  readonly remembered: HeaderChoices;
  mapping: CountedMapping | undefined;
  /** By the index of the column. */
  readonly evidence: ColumnEvidence[];
  /** Indexes of the first and last column of each range that the workbook hides. */
  readonly hiddenColumns: NonNullable<SheetRow['hiddenColumns']>;
  pending: RawRow[];
  /** Number and first row of the rows of this file that the workbook hides. */
  readonly hidden: { count: number; first: number };
  /** Number of rows of this file. */
  rows: number;
  /** The number of the last row, counted through all files of the sheet. */
  lastNumber: number;
  /** Added to the numbers of rows of this file, which continues the files before. */
  readonly offset: number;
}

/** Stores the rows of a file, sheet by sheet, with the columns that their headers match. */
export class SheetStager {
  readonly findings: BatchFinding[] = [];
  /** Whether a person must choose columns before rows can be checked. */
  mustChoose = false;
  /** Whether stored rows must be read again, because the formats of their columns are now known. */
  mustReadAgain = false;
  readonly #options: StagingOptions;
  readonly #matcher: SheetMatcher;
  /** The sheets of the present file, by name. The rows of a sheet that is null are skipped. */
  readonly #open = new Map<string, OpenSheet | null>();
  /** The first rows of the sheet that begins, until its header row is found. */
  #first: SheetRow[] = [];
  /** The sheets that were read from any file, by id. */
  readonly #used = new Map<string, OpenSheet>();
  #rows = 0;
  /** The rows that are being inserted while the next ones are read. */
  #insertion: Promise<void> = Promise.resolve();
  /** The name of the present file. */
  #file: string | undefined = undefined;

  constructor(options: StagingOptions) {
    this.#options = options;
    const { kind, kinds = [], sheetChoices = new Map() } = options;
    this.#matcher = new SheetMatcher(
      kind,
      kinds.filter(({ id }) => id !== kind.id),
      sheetChoices,
    );
  }

  /** `file` is the name of the file; rows of a call have none. */
  async addFile(rows: AsyncIterable<SheetRow> | Iterable<SheetRow>, file?: string): Promise<void> {
    this.#open.clear();
    this.#file = file;
    try {
      await this.#addRows(rows);
    } finally {
      // Nothing is written any more after this method has ended.
      await this.#insertion;
    }
    for (const open of this.#open.values())
      if (open) {
        this.#reportHiddenRows(open);
        await this.#chooseFormats(open);
        if (open.mapping) await storeReplacedWords(this.#options.tables, this.#options.batch, open.mapping);
      }
  }

  async #addRows(rows: AsyncIterable<SheetRow> | Iterable<SheetRow>): Promise<void> {
    for await (const row of rows) {
      if (fold(row.sheet) === metaSheet) this.#assertKind(row.cells);
      const open = this.#open.get(row.sheet);
      if (open === null) continue;
      if (open !== undefined) {
        await this.#add(open, row);
        continue;
      }
      if (this.#first[0] && this.#first[0].sheet !== row.sheet) await this.#begin();
      this.#first.push(row);
      if (row.row >= (this.#chosenHeaderRow(row.sheet) ?? maxHeaderRow)) await this.#begin();
    }
    await this.#begin();
    for (const open of this.#open.values()) if (open) await this.#flush(open, true);
  }

  /** The sheets of all files. */
  get fileSheets(): readonly FileSheet[] {
    return this.#matcher.fileSheets;
  }

  #chosenHeaderRow(name: string): number | null | undefined {
    const sheet = this.#matcher.find(name);
    return sheet && this.#options.layouts?.[sheet.id]?.headerRow;
  }

  /** @throws `invalidRequest` (400) if there are no rows at all, or only in sheets of other names */
  finish(): void {
    const missingSheets = this.#options.kind.sheets.filter(
      ({ id, required }) => !this.#used.has(id) && required !== false,
    );
    const { undecided } = this.#matcher;
    if (this.#rows === 0) {
      if (this.#used.size === 0 && undecided.length > 0) throw invalidRequest(this.#matcher.createRefusal());
      const [first] = missingSheets;
      throw invalidRequest(
        first
          ? importsRefusal('imports.refused.sheetMissing', { sheet: first.name })
          : importsRefusal('imports.refused.noRows'),
      );
    }
    for (const { name } of missingSheets)
      this.#report('ERROR', importsRefusal('imports.refused.sheetMissing', { sheet: name }));
    // One of them may be the missing one.
    if (missingSheets.length > 0 && undecided.length > 0) this.mustChoose = true;
  }

  /** @throws `invalidRequest` (400) if our own workbook says that it is for another kind */
  #assertKind([name, id]: SheetRow['cells']): void {
    const { kind, kinds } = this.#options;
    if (name !== 'kind' || typeof id !== 'string' || id === '' || id === kind.id) return;
    const title = kinds?.find((candidate) => candidate.id === id)?.title;
    const kindName = title ? formatKindTitle(title) : id;
    throw invalidRequest(importsRefusal('imports.refused.otherKind', { kind: kindName }));
  }

  /** Finds the header row among the first rows, opens the sheet, and adds the rows below the headers. */
  async #begin(): Promise<void> {
    const rows = this.#first.splice(0);
    const [first] = rows;
    if (!first) return;
    const { kind, tables, continued } = this.#options;
    const { sheet: name } = first;
    this.#open.set(name, null);
    if (ignoredSheets.has(fold(name))) return;
    const sheet = this.#matcher.find(name);
    this.#matcher.add(
      name,
      this.#file ?? '',
      rows.map(({ cells }) => cells),
    );
    const formerSheet = sheet && this.#used.get(sheet.id);
    if (!sheet) {
      const ignoredBy = this.#matcher.ignoredBy(name);
      if (ignoredBy === undefined)
        this.#report('WARNING', importsRefusal('imports.refused.sheetUnknown', { sheet: name }));
      if (ignoredBy === 'REMEMBERED')
        this.#report('WARNING', importsRefusal('imports.refused.sheetNotNeeded', { sheet: name }));
      return;
    }
    if (formerSheet && continued !== true) {
      this.#reportRepetition(formerSheet);
      return;
    }
    const rememberedChoices = formerSheet?.remembered ?? (await loadHeaderChoices(tables, kind.id, sheet.id));
    const chosenRow = this.#chosenHeaderRow(name) ?? Infinity;
    const chosenIndex = rows.findIndex(({ row }) => row >= chosenRow);
    const index =
      chosenIndex < 0
        ? findHeaderRow(
            sheet.columns,
            rows.map(({ cells }) => cells),
            rememberedChoices.columns,
          )
        : chosenIndex;
    const { row, cells, hiddenColumns = [] } = rows[index] ?? first;
    if (cells.length > maxColumns)
      throw invalidRequest(importsRefusal('imports.refused.tooManyColumns', { sheet: name, max: maxColumns }));
    const headers = cells.map(toHeaderText);
    if (formerSheet && formerSheet.headers.join('\n') !== headers.join('\n'))
      throw invalidRequest(importsRefusal('imports.refused.sheetContinuedOtherwise', { sheet: name }));
    const titles = rows.slice(0, index);
    if (titles.length > 0)
      this.#report(
        'WARNING',
        importsRefusal('imports.refused.titleRows', { sheet: name, row, text: formatTitles(titles) }),
      );
    // The header of a continued sheet is no row.
    const offset = formerSheet ? formerSheet.lastNumber - 1 : 0;
    const open = {
      sheet,
      file: this.#file,
      headers,
      headerRow: row,
      remembered: rememberedChoices,
      mapping: formerSheet?.mapping,
      evidence: [],
      hiddenColumns,
      pending: [],
      hidden: { count: 0, first: 0 },
      rows: 0,
      lastNumber: offset + row,
      offset,
    };
    this.#used.set(sheet.id, open);
    this.#open.set(name, open);
    for (const laterRow of rows.slice(index + 1)) await this.#add(open, laterRow);
  }

  async #add(open: OpenSheet, { row, cells, hidden = false }: SheetRow): Promise<void> {
    if (isEmptyRow(cells)) return;
    open.rows += 1;
    if (hidden) open.hidden.first ||= row;
    if (hidden) open.hidden.count += 1;
    if (open.rows > maxRowsPerSheet)
      throw invalidRequest(
        importsRefusal('imports.refused.tooManyRows', { sheet: open.sheet.name, max: maxRowsPerSheet }),
      );
    open.lastNumber = open.offset + row;
    open.pending.push({ number: open.lastNumber, cells });
    if (this.#options.readsFormats === true)
      cells.forEach((cell, index) => {
        if (typeof cell === 'string') addEvidence((open.evidence[index] ??= {}), cell);
      });
    if (open.pending.length >= rowsPerStep) await this.#flush(open, false);
  }

  async #flush(open: OpenSheet, last: boolean): Promise<void> {
    const { batch, step } = this.#options;
    const mapping = (open.mapping ??= await this.#match(open));
    const rows = open.pending;
    open.pending = [];
    if (rows.length === 0 && !last) return;
    this.#rows += rows.length;
    await this.#insertion;
    this.#insertion = step(this.#rows, (transaction) => insertRows(transaction, batch, mapping, rows));
    if (this.#options.readsAhead !== true) return this.#insertion;
    // Whoever awaits it next gets its error.
    this.#insertion.catch(() => undefined);
  }

  async #match(open: OpenSheet): Promise<CountedMapping> {
    const { tables, batch, kind, scope, readsFormats } = this.#options;
    const { sheet, file, headers, headerRow, pending } = open;
    const rows = pending.slice(0, sampleRows).map(({ cells }) => cells);
    const siteUnit = readsFormats === true ? (scope.unit ?? 'm') : undefined;
    const isHidden = (index: number): boolean =>
      open.hiddenColumns.some(([first, last]) => first <= index && index <= last);
    const matchedHeaders = matchHeaders(sheet.columns, { headers, rows }, open.remembered.columns, siteUnit).map(
      (match, index): MatchedHeader => ({
        ...match,
        ...(isHidden(index) ? { hidden: true } : {}),
        ...(isUnitUnseen(sheet, match, open.remembered, readsFormats === true) ? { unitUnseen: true } : {}),
      }),
    );
    const constants = readsFormats === true ? await this.#findConstants(sheet, matchedHeaders) : {};
    this.#reportColumns(sheet, matchedHeaders, constants);
    await tables
      .insertInto('sheet')
      .values({
        batch,
        sheet: sheet.id,
        present: true,
        header_row: headerRow,
        headers: JSON.stringify(matchedHeaders),
        constants: JSON.stringify(constants),
        ...(file === undefined ? {} : { file }),
      })
      .execute();
    const choices = await loadValueChoices(tables, kind.id, sheet, scope, readsFormats !== true);
    return { sheet, headers: matchedHeaders, constants, scope, choices, replacedWords: new ReplacedWords() };
  }

  /** Values that were chosen for columns of earlier files and that this file lacks too. A person confirms them. */
  async #findConstants(sheet: ImportSheet, matchedHeaders: readonly MatchedHeader[]): Promise<Constants> {
    const { tables, kind, scope } = this.#options;
    const rememberedValues = await loadConstantChoices(tables, kind.id, sheet, scope);
    return Object.fromEntries(
      [...rememberedValues]
        .filter(
          ([id]) =>
            canBeConstant(sheet.columns, id) &&
            matchedHeaders.length > 0 &&
            !matchedHeaders.some(({ column }) => column === id),
        )
        .map(([id, value]) => [id, { value, by: 'REMEMBERED' as const }]),
    );
  }

  /** Stores the values of a sheet that decide formats, with what was chosen for files of the same headers. */
  async #chooseFormats({ sheet, mapping, evidence }: OpenSheet): Promise<void> {
    const { tables, batch, kind } = this.#options;
    if (!mapping || evidence.every((columnEvidence) => Object.keys(columnEvidence).length === 0)) return;
    const rememberedFormats = await loadFormatChoices(tables, kind.id, sheet.id);
    const headers = mapping.headers.map((match, index): MatchedHeader => {
      const format = rememberedFormats.get(toHeaderKey(match.header));
      return {
        ...match,
        evidence: evidence[index] ?? {},
        ...(format ? { format, formatBy: 'REMEMBERED' as const } : {}),
      };
    });
    await tables
      .updateTable('sheet')
      .set({ headers: JSON.stringify(headers) })
      .where('batch', '=', batch)
      .where('sheet', '=', sheet.id)
      .execute();
    this.mustChoose ||= findColumnProblems(sheet, headers, mapping.constants).mustChoose;
    this.mustReadAgain ||= listReadings(sheet, headers).some(({ format }) => format !== null);
  }

  /** Reports a sheet of the present file that is not read because it was read before. */
  #reportRepetition({ sheet: { name }, file: readFile = '' }: OpenSheet): void {
    const file = this.#file ?? '';
    this.#report(
      'WARNING',
      file === readFile
        ? importsRefusal('imports.refused.sheetRepeated', { sheet: name, file })
        : importsRefusal('imports.refused.sheetInTwoFiles', { sheet: name, file: readFile, ignored: file }),
    );
  }

  #reportHiddenRows({ sheet: { name }, hidden: { count, first } }: OpenSheet): void {
    if (count > 0) this.#report('WARNING', importsRefusal('imports.refused.hiddenRows', { sheet: name, count, first }));
  }

  #reportColumns(sheet: ImportSheet, matchedHeaders: readonly MatchedHeader[], constants: Constants): void {
    const { findings, mustChoose } = findColumnProblems(sheet, matchedHeaders, constants);
    this.findings.push(...findings);
    this.mustChoose ||= mustChoose;
  }

  #report(severity: BatchFinding['severity'], { message, values }: Pick<BatchFinding, 'message' | 'values'>): void {
    this.findings.push({ message, ...(values ? { values } : {}), column: null, severity });
  }
}

/** Whether a column was chosen for an earlier file without the unit of its header, from which it would be converted. */
function isUnitUnseen(
  { columns }: ImportSheet,
  match: MatchedHeader,
  { units }: HeaderChoices,
  isAsked: boolean,
): boolean {
  const column = columns.find(({ id }) => id === match.column);
  if (match.by !== 'REMEMBERED' || !column) return false;
  const reading = findUnitReading(match, column);
  if (reading === undefined) return false;
  const seenUnit = units.get(toHeaderKey(match.header)) ?? undefined;
  // In a call, nobody is asked whether values without a unit have the unit of earlier files.
  const isOther =
    reading.unit !== reading.columnUnit || (!isAsked && seenUnit !== undefined && seenUnit !== reading.columnUnit);
  return isOther && reading.unit !== seenUnit;
}

const maxTitleLength = 120;

/** The beginning of the texts above the headers. */
function formatTitles(rows: readonly SheetRow[]): string {
  const text = rows
    .flatMap(({ cells }) => cells.map(toHeaderText))
    .filter((titleText) => titleText !== '')
    .join(' · ');
  return text.length > maxTitleLength ? `${text.slice(0, maxTitleLength)}…` : text;
}

/** Sheets of our own workbooks that contain no rows. */
const metaSheet = '_meta';
const ignoredSheets: ReadonlySet<string> = new Set(['readme', metaSheet, '_lists', 'summary']);
