import { action, makeObservable, observableRef } from 'mobx';

/** Columns by header; null ignores a header. */
export type ColumnChoice = Readonly<Record<string, string | null>>;

/** Choices that are not sent yet. They outlive the screen, so that a person can leave it and come back. */
export class ImportDrafts {
  /** Files of the import that is about to begin. */
  files: readonly File[] = [];
  columns: ReadonlyMap<string, ColumnChoice> = new Map();

  constructor() {
    makeObservable(this, {
      files: observableRef,
      columns: observableRef,
      setFiles: action,
      setColumns: action,
    });
  }

  setFiles(files: readonly File[]): void {
    this.files = files;
  }

  findColumns(batch: string, sheet: string): ColumnChoice | undefined {
    return this.columns.get(`${batch} ${sheet}`);
  }

  setColumns(batch: string, sheet: string, choice: ColumnChoice | undefined): void {
    const next = new Map(this.columns);
    if (choice === undefined) next.delete(`${batch} ${sheet}`);
    else next.set(`${batch} ${sheet}`, choice);
    this.columns = next;
  }
}
