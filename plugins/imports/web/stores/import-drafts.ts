import { action, makeObservable, observableRef } from 'mobx';
import type { LengthUnit } from '#core';
import type { BrowserStorage } from '#core/web';
import type { ReadFormat } from '../../contract/index.ts';

/** Columns by header; null ignores a header. */
export type ColumnChoice = Readonly<Record<string, string | null>>;

/** The formats in which ambiguous values are read, by header. */
export type FormatChoice = Readonly<Record<string, ReadFormat>>;

/** Units of lengths, by header. */
export type UnitChoice = Readonly<Record<string, LengthUnit>>;

/** Values that all rows get, as typed, by column id; null removes one. */
export type ConstantChoice = Readonly<Record<string, string | null>>;

const storageKey = 'imports.columns';
/** Sheets whose choices are stored for a reload; the oldest ones are dropped. */
const maxStoredSheets = 100;

/** The choices as the browser stores them, with the key of each sheet. `units` are the confirmed units. */
interface StoredChoices {
  readonly columns?: readonly (readonly [string, ColumnChoice])[];
  readonly formats?: readonly (readonly [string, FormatChoice])[];
  readonly units?: readonly (readonly [string, ColumnChoice])[];
  readonly lengthUnits?: readonly (readonly [string, UnitChoice])[];
  readonly constants?: readonly (readonly [string, ConstantChoice])[];
}

/** The unsent choices of a person for the columns of a sheet. */
export interface SheetDraft {
  readonly columns: ColumnChoice | undefined;
  readonly formats: FormatChoice;
  readonly confirmedUnits: ColumnChoice;
  readonly lengthUnits: UnitChoice;
  readonly constants: ConstantChoice;
}

/**
 * Choices that are not sent yet. They outlive the screen, so that a person can leave it and come back. Choices for
 * columns also survive a reload; their maps have the keys of `toSheetKey`.
 */
export class ImportDrafts {
  /** Files of the next new import. */
  files: readonly File[] = [];
  /** Files of the imports that follow the new one, by their kind. */
  followingFiles: ReadonlyMap<string, readonly File[]> = new Map();
  columns: ReadonlyMap<string, ColumnChoice> = new Map();
  formats: ReadonlyMap<string, FormatChoice> = new Map();
  /** By header: the column whose unit a person confirmed although the header names another one; null if withdrawn. */
  confirmedUnits: ReadonlyMap<string, ColumnChoice> = new Map();
  lengthUnits: ReadonlyMap<string, UnitChoice> = new Map();
  constants: ReadonlyMap<string, ConstantChoice> = new Map();

  readonly #storage: Pick<BrowserStorage, 'get' | 'set'>;

  constructor(storage: Pick<BrowserStorage, 'get' | 'set'>) {
    this.#storage = storage;
    const { columns, formats, units, lengthUnits, constants } = storage.get<StoredChoices>(storageKey) ?? {};
    this.columns = new Map(columns);
    this.formats = new Map(formats);
    this.confirmedUnits = new Map(units);
    this.lengthUnits = new Map(lengthUnits);
    this.constants = new Map(constants);
    makeObservable(this, {
      files: observableRef,
      followingFiles: observableRef,
      columns: observableRef,
      formats: observableRef,
      confirmedUnits: observableRef,
      lengthUnits: observableRef,
      constants: observableRef,
      setFiles: action,
      setFollowingFiles: action,
      setColumns: action,
      setFormats: action,
      setConfirmedUnits: action,
      setLengthUnits: action,
      setConstants: action,
      removeSheet: action,
    });
  }

  setFiles(files: readonly File[]): void {
    this.files = files;
  }

  listFollowingFiles(kind: string): readonly File[] {
    return this.followingFiles.get(kind) ?? [];
  }

  setFollowingFiles(kind: string, files: readonly File[]): void {
    this.followingFiles = new Map(this.followingFiles).set(kind, files);
  }

  findColumns(batch: string, sheet: string): ColumnChoice | undefined {
    return this.columns.get(toSheetKey(batch, sheet));
  }

  setColumns(batch: string, sheet: string, choice: ColumnChoice): void {
    this.columns = new Map(this.columns).set(toSheetKey(batch, sheet), choice);
    this.#save();
  }

  findFormats(batch: string, sheet: string): FormatChoice {
    return this.formats.get(toSheetKey(batch, sheet)) ?? {};
  }

  setFormats(batch: string, sheet: string, choice: FormatChoice): void {
    this.formats = new Map(this.formats).set(toSheetKey(batch, sheet), choice);
    this.#save();
  }

  findConfirmedUnits(batch: string, sheet: string): ColumnChoice {
    return this.confirmedUnits.get(toSheetKey(batch, sheet)) ?? {};
  }

  setConfirmedUnits(batch: string, sheet: string, choice: ColumnChoice): void {
    this.confirmedUnits = new Map(this.confirmedUnits).set(toSheetKey(batch, sheet), choice);
    this.#save();
  }

  findLengthUnits(batch: string, sheet: string): UnitChoice {
    return this.lengthUnits.get(toSheetKey(batch, sheet)) ?? {};
  }

  setLengthUnits(batch: string, sheet: string, choice: UnitChoice): void {
    this.lengthUnits = new Map(this.lengthUnits).set(toSheetKey(batch, sheet), choice);
    this.#save();
  }

  findConstants(batch: string, sheet: string): ConstantChoice {
    return this.constants.get(toSheetKey(batch, sheet)) ?? {};
  }

  setConstants(batch: string, sheet: string, choice: ConstantChoice): void {
    this.constants = new Map(this.constants).set(toSheetKey(batch, sheet), choice);
    this.#save();
  }

  findSheet(batch: string, sheet: string): SheetDraft {
    return {
      columns: this.findColumns(batch, sheet),
      formats: this.findFormats(batch, sheet),
      confirmedUnits: this.findConfirmedUnits(batch, sheet),
      lengthUnits: this.findLengthUnits(batch, sheet),
      constants: this.findConstants(batch, sheet),
    };
  }

  /** Forgets the choices of a sheet. */
  removeSheet(batch: string, sheet: string): void {
    const key = toSheetKey(batch, sheet);
    this.columns = omit(this.columns, key);
    this.formats = omit(this.formats, key);
    this.confirmedUnits = omit(this.confirmedUnits, key);
    this.lengthUnits = omit(this.lengthUnits, key);
    this.constants = omit(this.constants, key);
    this.#save();
  }

  #save(): void {
    this.#storage.set(storageKey, {
      columns: [...this.columns].slice(-maxStoredSheets),
      formats: [...this.formats].slice(-maxStoredSheets),
      units: [...this.confirmedUnits].slice(-maxStoredSheets),
      lengthUnits: [...this.lengthUnits].slice(-maxStoredSheets),
      constants: [...this.constants].slice(-maxStoredSheets),
    } satisfies StoredChoices);
  }
}

/** `batch` is the uid of the import. */
const toSheetKey = (batch: string, sheet: string): string => `${batch} ${sheet}`;

const omit = <Value>(values: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> =>
  new Map([...values].filter(([each]) => each !== key));
