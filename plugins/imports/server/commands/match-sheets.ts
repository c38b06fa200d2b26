import type { LocalizedRefusal } from '#core';
import type { ImportSheet } from '#plugins/imports';
import { fold, type Cell } from '../../common/check-value.ts';
import { createHeaderCounter } from '../../common/find-header-row.ts';
import { importsRefusal } from '../../contract/errors.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import type { FileSheet } from '../tables.ts';

/** By folded name of a sheet of a file, the sheet that a person chose for it. Null: not imported. */
export type SheetChoices = ReadonlyMap<string, { readonly sheet: string | null; readonly by: 'CHOSEN' | 'REMEMBERED' }>;

/** A workbook with more sheets names the first ones. */
const maxListedSheets = 200;

/** Finds the sheets of a kind by the names of the sheets of files, or by what a person chose for them. */
export class SheetMatcher {
  readonly fileSheets: FileSheet[] = [];
  readonly #kind: AnyKind;
  readonly #otherKinds: readonly AnyKind[];
  readonly #choices: SheetChoices;
  /** How much the sheets without a known name look like those of a kind. */
  readonly #likeness = new Map<AnyKind, number>();

  constructor(kind: AnyKind, otherKinds: readonly AnyKind[], choices: SheetChoices) {
    this.#kind = kind;
    this.#otherKinds = otherKinds;
    this.#choices = choices;
  }

  find(name: string): ImportSheet | undefined {
    const chosenId = this.#choices.get(fold(name))?.sheet;
    return findByName(this.#kind, name) ?? this.#kind.sheets.find(({ id }) => id === chosenId);
  }

  /** In which import a person chose that the sheet is not imported: this or an earlier one. Undefined if nobody did. */
  ignoredBy(name: string): 'CHOSEN' | 'REMEMBERED' | undefined {
    const choice = this.#choices.get(fold(name));
    return choice?.sheet === null && this.find(name) === undefined ? choice.by : undefined;
  }

  /** Lists a sheet of a file, with its first rows. */
  add(name: string, file: string, rows: readonly (readonly Cell[])[]): void {
    const sheet = this.find(name);
    const chosenBy = sheet ? this.#choices.get(fold(name))?.by : this.ignoredBy(name);
    const by = findByName(this.#kind, name) ? 'NAME' : (chosenBy ?? null);
    if (this.fileSheets.length < maxListedSheets)
      this.fileSheets.push({
        name,
        file,
        sheet: sheet?.id ?? null,
        by,
        proposal: by === null ? this.#propose(rows) : null,
      });
    if (by !== null) return;
    for (const kind of this.#otherKinds) {
      const likeness = findByName(kind, name) ? nameLikeness : Math.max(0, ...listCounts(kind, rows));
      this.#likeness.set(kind, (this.#likeness.get(kind) ?? 0) + likeness);
    }
  }

  /** The sheets that nobody knows, by name. */
  get undecided(): readonly FileSheet[] {
    return this.fileSheets.filter(({ by }) => by === null);
  }

  /** Says which sheets the files have if none of them is known, and for which kind they seem to be. */
  refuse(): LocalizedRefusal {
    const names = this.undecided.map(({ name }) => name).join(', ');
    const sheets = this.#kind.sheets.map(({ name }) => name).join(', ');
    const [likest] = [...this.#likeness].toSorted((a, b) => b[1] - a[1]);
    const isLikeThis = this.undecided.some(({ proposal }) => proposal !== null);
    if (!likest || likest[1] === 0 || (isLikeThis && likest[1] < nameLikeness))
      return importsRefusal('imports.refused.noKnownSheet', { found: names, sheets });
    const { title } = likest[0];
    // The sentence is stored before its reader's language is known.
    return importsRefusal('imports.refused.otherSheets', { found: names, sheets, kind: `${title.en} (${title.fr})` });
  }

  /** The sheet whose columns the rows name the most. */
  #propose(rows: readonly (readonly Cell[])[]): string | null {
    const counts = listCounts(this.#kind, rows);
    const most = Math.max(...counts);
    return most > 0 ? (this.#kind.sheets[counts.indexOf(most)]?.id ?? null) : null;
  }
}

/** Counts more than the columns of a sheet that has another name. */
const nameLikeness = 1000;

const findByName = ({ sheets }: AnyKind, name: string): ImportSheet | undefined =>
  sheets.find((each) => fold(each.name) === fold(name));

/** How many columns of each sheet the rows name. */
const listCounts = ({ sheets }: AnyKind, rows: readonly (readonly Cell[])[]): readonly number[] =>
  sheets.map(({ columns }) => Math.max(0, ...rows.map(createHeaderCounter(columns))));
