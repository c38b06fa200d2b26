import type { LocalizedRefusal } from '#core';
import type { ImportSheet } from '#plugins/imports';
import { fold, type Cell } from '../../common/check-value.ts';
import { createHeaderCounter } from '../../common/find-header-row.ts';
import { formatKindTitle } from '../../common/kind-title.ts';
import { importsRefusal } from '../../contract/errors.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import type { FileSheet } from '../tables.ts';

/** The sheet that a person chose for a sheet of a file, by its folded name. Null: not imported. */
export type SheetChoices = ReadonlyMap<string, { readonly sheet: string | null; readonly by: 'CHOSEN' | 'REMEMBERED' }>;

/** Further sheets of a workbook are not listed. */
const maxListedSheets = 200;

/** Finds the sheets of a kind by the names of the sheets of files, or by what a person chose for them. */
export class SheetMatcher {
  readonly fileSheets: FileSheet[] = [];
  readonly #kind: AnyKind;
  readonly #otherKinds: readonly AnyKind[];
  readonly #choices: SheetChoices;
  /** Whether a sheet without a known name has a column of this kind. */
  #resemblesOwnKind = false;
  /** How similar the sheets without a known name are to those of each other kind. */
  readonly #likenessByKind = new Map<AnyKind, number>();

  constructor(kind: AnyKind, otherKinds: readonly AnyKind[], choices: SheetChoices) {
    this.#kind = kind;
    this.#otherKinds = otherKinds;
    this.#choices = choices;
  }

  find(name: string): ImportSheet | undefined {
    const chosenId = this.#choices.get(fold(name))?.sheet;
    return findByName(this.#kind, name) ?? this.#kind.sheets.find(({ id }) => id === chosenId);
  }

  /**
   * Tells in which import a person chose not to import the sheet: in this one or an earlier one. Undefined if nobody
   * did.
   */
  ignoredBy(name: string): 'CHOSEN' | 'REMEMBERED' | undefined {
    const choice = this.#choices.get(fold(name));
    return choice?.sheet === null && this.find(name) === undefined ? choice.by : undefined;
  }

  /** Adds a sheet of a file. Its first rows show whose columns it has. */
  add(name: string, file: string, rows: readonly (readonly Cell[])[]): void {
    const sheet = this.find(name);
    const chosenBy = sheet ? this.#choices.get(fold(name))?.by : this.ignoredBy(name);
    const by = findByName(this.#kind, name) ? 'NAME' : (chosenBy ?? null);
    const counts = countNamedColumns(this.#kind, rows);
    if (by === null) this.#resemblesOwnKind ||= counts.some((count) => count > 0);
    if (this.fileSheets.length < maxListedSheets)
      this.fileSheets.push({
        name,
        file,
        sheet: sheet?.id ?? null,
        by,
        proposal: by === null ? this.#propose(counts) : null,
      });
    if (by !== null) return;
    for (const kind of this.#otherKinds) {
      const likeness = findByName(kind, name) ? nameLikeness : Math.max(0, ...countNamedColumns(kind, rows));
      this.#likenessByKind.set(kind, (this.#likenessByKind.get(kind) ?? 0) + likeness);
    }
  }

  /** The sheets that are not known by name and for which nobody has chosen. */
  get undecided(): readonly FileSheet[] {
    return this.fileSheets.filter(({ by }) => by === null);
  }

  /**
   * Creates the refusal of files without a known sheet. It names their sheets, and the kind of import that they
   * resemble.
   */
  createRefusal(): LocalizedRefusal {
    const names = this.undecided.map(({ name }) => name).join(', ');
    const sheets = this.#kind.sheets.map(({ name }) => name).join(', ');
    const [mostSimilar] = [...this.#likenessByKind].toSorted((a, b) => b[1] - a[1]);
    if (!mostSimilar || mostSimilar[1] === 0 || (this.#resemblesOwnKind && mostSimilar[1] < nameLikeness))
      return importsRefusal('imports.refused.noKnownSheet', { found: names, sheets });
    const kind = formatKindTitle(mostSimilar[0].title);
    return importsRefusal('imports.refused.otherSheets', { found: names, sheets, kind });
  }

  /** The sheet of which the most columns are named; null if several sheets have as many. `counts` are by sheet. */
  #propose(counts: readonly number[]): string | null {
    const maxCount = Math.max(...counts);
    if (maxCount === 0 || counts.filter((count) => count === maxCount).length > 1) return null;
    return this.#kind.sheets[counts.indexOf(maxCount)]?.id ?? null;
  }
}

/** A known name counts more than any number of columns in a sheet with another name. */
const nameLikeness = 1000;

const findByName = ({ sheets }: AnyKind, name: string): ImportSheet | undefined =>
  sheets.find((candidate) => fold(candidate.name) === fold(name));

/** Counts how many columns of each sheet the rows name. */
const countNamedColumns = ({ sheets }: AnyKind, rows: readonly (readonly Cell[])[]): readonly number[] =>
  sheets.map(({ columns }) => Math.max(0, ...rows.map(createHeaderCounter(columns))));
