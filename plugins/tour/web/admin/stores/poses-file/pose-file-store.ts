import { action, computed, computedStruct, makeObservable, observableRef } from 'mobx';
import type { DateOrder, Point3, SiteFrame, SiteRecord, SiteUnit } from '#core';
import type { Sites } from '#core/web';
import { createFarFinder, listSiteExtents } from '../../../../common/far-positions.ts';
import type { ViewpointEditor } from '../viewpoint-editor.ts';
import { Answer } from './answer.ts';
import { findFarPoses, proposeCrs, type FarPoses } from './far-poses.ts';
import { comparePoses, planPoses, type NearChoice, type PoseComparison, type PosePlan } from './plan-poses.ts';
import {
  listPhotogrammetricAngles,
  listUnusedColumns,
  matchColumns,
  readPoseTable,
  type PoseColumns,
  type PoseField,
  type PoseTable,
} from './pose-table.ts';
import { listHeaderUnits, readPoses, type PoseProblem, type ReadPosesResult } from './read-poses.ts';
import { readTextFile } from './read-text-file.ts';

/** Why the poses cannot be saved yet. */
export type PosesRefusal = 'orderOpen' | 'nearOpen' | 'problems' | 'farOpen' | 'nothing';

const emptyTable: PoseTable = { columns: [], rows: [], hasCommaSeparator: false };
const emptyResult: ReadPosesResult = {
  poses: [],
  problems: [],
  hasHeadings: false,
  hasTilts: false,
  dateOrder: undefined,
};

/**
 * A pose file, how it is read, and the viewpoints of the editor's tour that it adds or changes. The readings of the
 * table are computed values, because each takes all rows: they are read again only after what they depend on changed.
 */
export class PoseFileStore {
  file: File | undefined = undefined;
  /** Empty without a file, and if the file cannot be read. */
  table: PoseTable = emptyTable;
  columns: PoseColumns = {};
  /** The unit of coordinates whose headers name none. */
  unit: SiteUnit = 'm';
  /** Whether the coordinates are in the CRS of the site. Undefined until the person has chosen. */
  chosenInCrs: boolean | undefined = undefined;
  /** Degrees, see `PoseOptions`. */
  headingOffset = 0;
  /** True if the last attempt to save was refused. */
  isRefused = false;
  readonly chosenOrder: Answer<DateOrder | undefined>;
  readonly leavesOutInvalidRows: Answer<boolean>;
  readonly nearChoice: Answer<NearChoice | undefined>;
  /** Whether existing viewpoints with the code of a pose take the pose. */
  readonly updatesExisting: Answer<boolean>;
  readonly acceptsFar: Answer<boolean>;
  readonly #editor: ViewpointEditor;
  readonly #sites: Pick<Sites, 'recordAt'>;

  constructor(editor: ViewpointEditor, sites: Pick<Sites, 'recordAt'>) {
    this.#editor = editor;
    this.#sites = sites;
    this.chosenOrder = new Answer<DateOrder | undefined>(undefined, this, () =>
      this.table.rows.map(({ cells }) => cells[this.columns.time ?? -1] ?? ''),
    );
    this.leavesOutInvalidRows = new Answer(false, this, () => this.problems);
    this.nearChoice = new Answer<NearChoice | undefined>(undefined, this, () =>
      this.comparison.near.map(({ pose, code, node }) => [pose.line, pose.position, code, node?.uid, node?.position]),
    );
    this.updatesExisting = new Answer(false, this, () =>
      this.comparison.moved.map(({ node, pose }) => [node.uid, pose.position, pose.heading, pose.tilt]),
    );
    this.acceptsFar = new Answer(false, this, () => this.plannedPositions);
    makeObservable<
      this,
      'site' | 'footUnit' | 'findMetresAway' | 'resultInSiteFrame' | 'plannedPositions' | 'setFile' | 'setRefused'
    >(this, {
      file: observableRef,
      table: observableRef,
      columns: observableRef,
      unit: observableRef,
      chosenInCrs: observableRef,
      headingOffset: observableRef,
      isRefused: observableRef,
      site: computedStruct,
      footUnit: computed,
      isMatched: computed,
      headerUnits: computed,
      unusedColumns: computed,
      unreadAngles: computed,
      findMetresAway: computed,
      resultInSiteFrame: computed,
      crsProposal: computed,
      isInCrs: computed,
      result: computed,
      tiltedCount: computed,
      isOrderOpen: computed,
      problems: computed,
      comparison: computed,
      plan: computed,
      plannedPositions: computed,
      farPoses: computed,
      refusal: computed,
      set: action,
      setFile: action,
      setRefused: action,
    });
  }

  /** Whether the site has a frame of its own, so that coordinates can be in its CRS or in its frame. */
  get hasOwnFrame(): boolean {
    const { rotation, origin } = this.site.frame;
    return rotation !== 0 || Object.values(origin).some((value) => value !== 0);
  }

  /** Whether the columns suffice to read poses. */
  get isMatched(): boolean {
    return (['name', 'east', 'north', 'up'] as const).every((field) => this.columns[field] !== undefined);
  }

  /** The headers that name a unit. */
  get headerUnits(): readonly { readonly header: string; readonly unit: string | undefined }[] {
    const { table, columns, footUnit } = this;
    return Object.entries(listHeaderUnits(table, columns, footUnit)).map(([field, unit]) => ({
      header: table.columns[columns[field as PoseField] ?? -1] ?? '',
      unit,
    }));
  }

  get unusedColumns(): readonly string[] {
    return listUnusedColumns(this.table, this.columns);
  }

  /** Columns of angles that are not converted to headings, if the file has no headings. */
  get unreadAngles(): readonly string[] {
    return this.isMatched && !this.result.hasHeadings ? listPhotogrammetricAngles(this.table, this.columns) : [];
  }

  /** The poses that are far when read in the site frame, if the CRS is proposed and the person has not chosen. */
  get crsProposal(): FarPoses | undefined {
    if (!this.hasOwnFrame || this.chosenInCrs !== undefined) return undefined;
    const positions = this.resultInSiteFrame.poses.map(({ position }) => position);
    return proposeCrs(positions, this.site.frame, this.findMetresAway);
  }

  get isInCrs(): boolean {
    return this.chosenInCrs ?? this.crsProposal !== undefined;
  }

  /** The rows as poses and problems. Empty until the columns suffice. */
  get result(): ReadPosesResult {
    return this.isInCrs ? this.#read(this.site.frame) : this.resultInSiteFrame;
  }

  get tiltedCount(): number {
    return this.result.poses.filter(({ tilt }) => tilt).length;
  }

  /** Whether times cannot be read until the person has chosen the order of dates. */
  get isOrderOpen(): boolean {
    return this.result.dateOrder?.ambiguous !== undefined && this.chosenOrder.value === undefined;
  }

  get problems(): readonly PoseProblem[] {
    // Times of an open order are no problems of their rows.
    return this.isOrderOpen ? [] : this.result.problems;
  }

  get comparison(): PoseComparison {
    return comparePoses(this.result, this.#editor.content, this.#editor.tour?.uid ?? '');
  }

  get plan(): PosePlan {
    return planPoses(this.comparison, this.#editor.content.decks, {
      updatesExisting: this.updatesExisting.value,
      near: this.nearChoice.value,
    });
  }

  get farPoses(): FarPoses | undefined {
    return findFarPoses(this.plannedPositions, this.findMetresAway);
  }

  /** Undefined if the poses can be saved. */
  get refusal(): PosesRefusal | undefined {
    if (this.isOrderOpen) return 'orderOpen';
    if (this.comparison.near.length > 0 && this.nearChoice.value === undefined) return 'nearOpen';
    if (this.problems.length > 0 && !this.leavesOutInvalidRows.value) return 'problems';
    if (this.farPoses && !this.acceptsFar.value) return 'farOpen';
    return this.plannedPositions.length === 0 ? 'nothing' : undefined;
  }

  set(changes: Partial<Pick<PoseFileStore, 'columns' | 'unit' | 'chosenInCrs' | 'headingOffset'>>): void {
    Object.assign(this, changes);
  }

  /** Reads a file and proposes its columns. The columns, unit and CRS chosen for another file do not count. */
  async chooseFile(file: File | undefined): Promise<void> {
    const { unit } = this.site.frame;
    this.setFile(file, file ? await readTable(file) : emptyTable, unit);
  }

  /** Adds and changes viewpoints. Returns false if this is refused. */
  async save(): Promise<boolean> {
    const { plan, refusal } = this;
    const { tour, mutations } = this.#editor;
    this.setRefused(refusal !== undefined);
    if (!tour || refusal !== undefined) return false;
    const newNodes = plan.added.map(({ code, name, position, heading, deck, posedAt, tilt }) => ({
      uid: crypto.randomUUID(),
      code,
      name: name.slice(0, 200),
      deck,
      position,
      heading,
      ...(posedAt && { posedAt: posedAt.toISOString() }),
      ...(tilt && { posedTilt: tilt }),
    }));
    await mutations.applyPoses(tour, { updated: plan.updated.map(({ change }) => change), created: newNodes });
    return true;
  }

  private get site(): SiteRecord {
    return this.#sites.recordAt(this.#editor.tour?.location);
  }

  /** A header that says only `ft` means the survey foot if the site or the person says so. */
  private get footUnit(): SiteUnit {
    return this.unit === 'ftUS' ? this.unit : this.site.frame.unit;
  }

  private get findMetresAway(): (position: Point3) => number | undefined {
    const { decks, nodes } = this.#editor.content;
    return createFarFinder(listSiteExtents(decks, nodes));
  }

  private get resultInSiteFrame(): ReadPosesResult {
    return this.#read(undefined);
  }

  private get plannedPositions(): readonly Point3[] {
    const { added, updated } = this.plan;
    return [...added, ...updated.map(({ change }) => change)].map(({ position }) => position);
  }

  #read(frame: SiteFrame | undefined): ReadPosesResult {
    if (!this.isMatched) return emptyResult;
    return readPoses(this.table, {
      columns: this.columns,
      unit: this.unit,
      siteUnit: this.footUnit,
      frame,
      headingOffset: this.headingOffset,
      timeZone: this.site.timeZone,
      dateOrder: this.chosenOrder.value,
    });
  }

  private setFile(file: File | undefined, table: PoseTable, unit: SiteUnit): void {
    this.file = file;
    this.table = table;
    this.columns = matchColumns(table);
    this.unit = unit;
    this.chosenInCrs = undefined;
  }

  private setRefused(isRefused: boolean): void {
    this.isRefused = isRefused;
  }
}

/** Browsers cannot read a file that was changed or removed after it was chosen. */
const readTable = (file: File): Promise<PoseTable> =>
  readTextFile(file)
    .then(readPoseTable)
    .catch(() => emptyTable);
