import { notFound, noAccess, type Caller } from '#core/server';
import type { ImportKind, ImportKinds, ImportSheet } from '#plugins/imports';
import { findAmbiguousTexts } from '../../common/match-headers.ts';

/** A kind of any plugin. Only its own plugin knows the types of its tables. */
export type AnyKind = ImportKind<never>;

/** The kinds of the enabled plugins. */
export class KindRegistry implements ImportKinds {
  readonly #kinds = new Map<string, AnyKind>();

  register<Tables>(kind: ImportKind<Tables>): void {
    if (this.#kinds.has(kind.id)) throw new Error(`Two plugins register the import kind '${kind.id}'.`);
    for (const { name, columns } of kind.sheets) {
      const [text] = findAmbiguousTexts(columns);
      if (text !== undefined)
        throw new Error(`'${text}' names two columns or values of the sheet '${name}' of '${kind.id}'.`);
    }
    this.#kinds.set(kind.id, kind as unknown as AnyKind);
  }

  find(id: string): AnyKind | undefined {
    return this.#kinds.get(id);
  }

  /** All kinds, in their order. */
  all(): readonly AnyKind[] {
    return [...this.#kinds.values()].toSorted((a, b) => a.order - b.order || a.id.localeCompare(b.id));
  }

  /** @throws `notFound` (404); `noAccess` (403) without the flag of the kind */
  get(id: string, caller: Caller): AnyKind {
    const kind = this.find(id);
    if (!kind) throw notFound('This kind of imports');
    if (!this.mayUse(kind, caller)) throw noAccess();
    return kind;
  }

  /** The kinds that a person may use, in their order. */
  list(caller: Caller): readonly AnyKind[] {
    return this.all().filter((kind) => this.mayUse(kind, caller));
  }

  /** Whether a person has the flag of a kind. */
  mayUse({ access }: AnyKind, caller: Caller): boolean {
    return access === undefined || caller.access.flags.includes(access);
  }
}

/** @throws `notFound` (404) */
export function getSheet(kind: AnyKind, id: string): ImportSheet {
  const sheet = kind.sheets.find((candidate) => candidate.id === id);
  if (!sheet) throw notFound('This sheet');
  return sheet;
}
