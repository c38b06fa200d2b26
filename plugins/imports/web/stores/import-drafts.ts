import { action, makeObservable, observableRef } from 'mobx';
import type { LengthUnit } from '#core';
import type { ReadFormat } from '../../contract/index.ts';

/** Columns by header; null ignores a header. */
export type ColumnChoice = Readonly<Record<string, string | null>>;

/** How values are read, by header. */
export type FormatChoice = Readonly<Record<string, ReadFormat>>;

/** Units of lengths, by header. */
export type UnitChoice = Readonly<Record<string, LengthUnit>>;

/** Choices that are not sent yet. They outlive the screen, so that a person can leave it and come back. */
export class ImportDrafts {
  /** Files of the import that is about to begin. */
  files: readonly File[] = [];
  /** By kind: files of imports that follow it. */
  following: ReadonlyMap<string, readonly File[]> = new Map();
  columns: ReadonlyMap<string, ColumnChoice> = new Map();
  formats: ReadonlyMap<string, FormatChoice> = new Map();
  /** The column for which a person confirmed that its unit is not that of the header; null if not any more. */
  units: ReadonlyMap<string, ColumnChoice> = new Map();
  lengthUnits: ReadonlyMap<string, UnitChoice> = new Map();

  constructor() {
    makeObservable(this, {
      files: observableRef,
      following: observableRef,
      columns: observableRef,
      formats: observableRef,
      units: observableRef,
      lengthUnits: observableRef,
      setFiles: action,
      setFollowing: action,
      setColumns: action,
      setFormats: action,
      setUnits: action,
      setLengthUnits: action,
    });
  }

  setFiles(files: readonly File[]): void {
    this.files = files;
  }

  listFollowing(kind: string): readonly File[] {
    return this.following.get(kind) ?? [];
  }

  setFollowing(kind: string, files: readonly File[]): void {
    this.following = new Map(this.following).set(kind, files);
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

  findFormats(batch: string, sheet: string): FormatChoice {
    return this.formats.get(`${batch} ${sheet}`) ?? {};
  }

  setFormats(batch: string, sheet: string, choice: FormatChoice): void {
    this.formats = new Map(this.formats).set(`${batch} ${sheet}`, choice);
  }

  findUnits(batch: string, sheet: string): ColumnChoice {
    return this.units.get(`${batch} ${sheet}`) ?? {};
  }

  setUnits(batch: string, sheet: string, choice: ColumnChoice): void {
    this.units = new Map(this.units).set(`${batch} ${sheet}`, choice);
  }

  findLengthUnits(batch: string, sheet: string): UnitChoice {
    return this.lengthUnits.get(`${batch} ${sheet}`) ?? {};
  }

  setLengthUnits(batch: string, sheet: string, choice: UnitChoice): void {
    this.lengthUnits = new Map(this.lengthUnits).set(`${batch} ${sheet}`, choice);
  }
}
