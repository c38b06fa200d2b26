/** A master in a plain model of the product. */
export interface ModelMaster {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly active: boolean;
  readonly position: number;
  readonly frenchName: string | null;
  readonly parent: number | null;
}

/** A row of an import. Absent values keep those of the product. */
export interface ModelRow {
  readonly type: 'SECTION' | 'DEPARTMENT';
  readonly name: string;
  readonly status: 'Active' | 'Inactive';
  readonly sequence?: number;
  readonly frenchName?: string | null;
  readonly parentName?: string;
}

interface ModelChange {
  readonly before: ModelMaster | null;
  readonly after: ModelMaster | null;
}

export type Outcome = 'REVERSED' | 'KEPT' | 'BLOCKED';

const columns = ['type', 'name', 'active', 'position', 'frenchName', 'parent'] as const;
const toKey = ({ type, name }: { readonly type: string; readonly name: string }): string =>
  `${type} ${name.toLowerCase()}`;

/** A model, without a database, of what importing, editing, undoing and redoing masters must do. */
export class MastersModel {
  readonly masters = new Map<number, ModelMaster>();
  #nextId = 1;

  /** Imports rows and returns the changes. Undefined if a row has an error, so that nothing is written. */
  importRows(rows: readonly ModelRow[]): readonly ModelChange[] | undefined {
    const findByKey = (key: string): ModelMaster | undefined =>
      [...this.masters.values()].find((master) => toKey(master) === key);
    const keys = new Set(rows.map(toKey));
    const toParentKey = (name: string): string => toKey({ type: 'DEPARTMENT', name });
    const hasWrongParent = ({ type, parentName }: ModelRow): boolean =>
      parentName !== undefined &&
      (type !== 'SECTION' || !(keys.has(toParentKey(parentName)) || findByKey(toParentKey(parentName))));
    if (keys.size < rows.length || rows.some(hasWrongParent)) return undefined;
    const writtenRows = rows.map((row) => {
      const before = findByKey(toKey(row)) ?? null;
      const { id, parent, position, frenchName } = before ?? {
        id: this.#nextId++,
        parent: null,
        position: 0,
        frenchName: null,
      };
      const after: ModelMaster = {
        id,
        parent,
        type: row.type,
        name: row.name,
        active: row.status === 'Active',
        position: row.sequence ?? position,
        frenchName: row.frenchName === undefined ? frenchName : row.frenchName,
      };
      this.masters.set(id, after);
      return { row, before, id };
    });
    return writtenRows
      .map(({ row, before, id }): ModelChange => {
        const parent = row.parentName === undefined ? undefined : findByKey(toParentKey(row.parentName))?.id;
        const after = { ...this.masters.get(id)!, ...(parent === undefined ? {} : { parent }) };
        this.masters.set(id, after);
        return { before, after };
      })
      .filter(({ before, after }) => listChangedColumns(before, after).length > 0);
  }

  /** Undoes changes as far as possible. Returns the outcome of each change, and the changes that the undo made. */
  undoRows(changes: readonly ModelChange[]): {
    readonly outcomes: readonly Outcome[];
    readonly undone: readonly ModelChange[];
  } {
    const outcomes = new Map<ModelChange, Outcome>();
    const undone: ModelChange[] = [];
    for (const change of changes) {
      const { before, after } = change;
      const currentMaster = this.masters.get(after!.id);
      if (!currentMaster || !this.#isUntouched(change)) outcomes.set(change, 'KEPT');
      else if (before) {
        const restoredMaster = pickColumns(currentMaster, before, listChangedColumns(before, after));
        const isPossible = restoredMaster.parent === null || this.masters.has(restoredMaster.parent);
        outcomes.set(change, isPossible ? 'REVERSED' : 'BLOCKED');
        if (!isPossible) continue;
        this.masters.set(currentMaster.id, restoredMaster);
        undone.push({ before: currentMaster, after: restoredMaster });
      }
    }
    let createdChanges = changes.filter((change) => !outcomes.has(change));
    const isStillReferenced = ({ after }: ModelChange): boolean =>
      [...this.masters.values()].some(
        ({ id, parent }) => parent === after!.id && !createdChanges.some((other) => other.after!.id === id),
      );
    while (createdChanges.some(isStillReferenced)) {
      for (const change of createdChanges.filter(isStillReferenced)) outcomes.set(change, 'BLOCKED');
      createdChanges = createdChanges.filter((change) => !outcomes.has(change));
    }
    for (const { after } of createdChanges) {
      undone.push({ before: this.masters.get(after!.id)!, after: null });
      this.masters.delete(after!.id);
    }
    return { outcomes: changes.map((change) => outcomes.get(change) ?? 'REVERSED'), undone };
  }

  /**
   * Redoes an undone import completely. Returns undefined if that is impossible, because something was changed since.
   */
  redo(undone: readonly ModelChange[]): readonly ModelChange[] | undefined {
    const restoredMasters = undone.map(({ before, after }): ModelMaster => {
      const currentMaster = after && this.masters.get(after.id);
      return currentMaster ? pickColumns(currentMaster, before!, listChangedColumns(before, after)) : before!;
    });
    const next = new Map(this.masters);
    for (const master of restoredMasters) next.set(master.id, master);
    const isPossible =
      undone.every((change) => this.#isUntouched(change)) &&
      new Set([...next.values()].map(toKey)).size === next.size &&
      restoredMasters.every(({ parent }) => parent === null || next.has(parent));
    if (!isPossible) return undefined;
    const redone = restoredMasters.map((after): ModelChange => ({ before: this.masters.get(after.id) ?? null, after }));
    for (const master of restoredMasters) this.masters.set(master.id, master);
    return redone;
  }

  /** Edits a master, or deletes it if `values` is null. Returns whether that is possible. */
  edit(id: number, values: Partial<ModelMaster> | null): boolean {
    const otherMasters = [...this.masters.values()].filter((master) => master.id !== id);
    if (values === null) {
      if (otherMasters.some(({ parent }) => parent === id)) return false;
      return this.masters.delete(id);
    }
    const editedMaster = { ...this.masters.get(id)!, ...values };
    if (otherMasters.some((master) => toKey(master) === toKey(editedMaster))) return false;
    this.masters.set(id, editedMaster);
    return true;
  }

  #isUntouched({ before, after }: ModelChange): boolean {
    const currentMaster = this.masters.get((after ?? before)!.id);
    if (!after) return currentMaster === undefined;
    return (
      currentMaster !== undefined &&
      listChangedColumns(before, after).every((column) => currentMaster[column] === after[column])
    );
  }
}

const listChangedColumns = (
  before: ModelMaster | null,
  after: ModelMaster | null,
): readonly (typeof columns)[number][] =>
  columns.filter((column) => before?.[column] !== after?.[column] || !before || !after);

const pickColumns = (
  currentMaster: ModelMaster,
  before: ModelMaster,
  changedColumns: readonly (typeof columns)[number][],
): ModelMaster => ({
  ...currentMaster,
  ...Object.fromEntries(changedColumns.map((column) => [column, before[column]])),
});
