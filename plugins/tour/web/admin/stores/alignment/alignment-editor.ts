import { action, computed, makeObservable, observableRef } from 'mobx';
import { normalizePan, type Point3 } from '#core';
import { readConflict } from '#core/ui-data';
import { computeResiduals, type CameraPose, type TiePoint } from '../../../../common/alignment/camera-pose.ts';
import {
  fitViewpoint,
  type ViewpointFit,
  type ViewpointFitResult,
} from '../../../../common/alignment/fit-viewpoint.ts';
import type { SavedTie } from '../../../../contract/api/alignment.ts';
import type { ContentNode } from '../../../../contract/api/tour-content.ts';
import { maxTies } from '../../../../contract/values/alignment-values.ts';
import type { ContentMutations } from '../content-mutations.ts';
import type { Pose } from '../poses.ts';

/** Whether an alignment corrects only the heading, or position and heading. */
export type AlignMode = 'heading' | 'pose';

export interface EditedTie extends TiePoint {
  readonly id: number;
}

/** Pitch and roll of a picture, degrees. */
export type PictureTilt = Pick<CameraPose, 'pitch' | 'roll'>;

/** A picture is reported as tilted from this pitch or roll on, if levelling also reduces the residual. Degrees. */
const minTiltDegrees = 0.2;
/** Levelling must divide the residual by at least this factor. */
const minTiltGain = 3;
/** Minimum number of ties that determine the tilt with redundancy. */
const minTiesForTilt: Readonly<Record<AlignMode, number>> = { heading: 3, pose: 5 };

/** Minimum number of ties that determine pitch and roll. */
const minTiesToLevel: Readonly<Record<AlignMode, number>> = { heading: 3, pose: 4 };
/** Modes that also fit pitch and roll. */
const levellingModes = { heading: 'orientation', pose: 'freePose' } as const;

/** Edits the ties of a viewpoint, computes the pose that they determine, and saves it. */
export class AlignmentEditor {
  /** The saved viewpoint. */
  node: ContentNode;
  ties: readonly EditedTie[] = [];
  /** A direction that is marked in the picture, until a point is marked for it. */
  direction: Pick<TiePoint, 'pan' | 'tilt'> | undefined = undefined;
  /** A point that is marked in the site, until a direction is marked for it. */
  point: Point3 | undefined = undefined;
  chosenMode: AlignMode | undefined = undefined;
  /** Heading that the person has set by turning the picture. */
  turnedHeading: number | undefined = undefined;
  /** Whether the person wants pitch and roll corrected. Undefined: corrected if the ties show a tilt. */
  chosenLevelling: boolean | undefined = undefined;
  changed = false;
  saving = false;
  failure: unknown = undefined;
  /** After a conflict, the current version of the viewpoint that somebody else has changed. */
  theirs: ContentNode | undefined = undefined;
  readonly #mutations: Pick<ContentMutations, 'alignNode' | 'updateNodes'>;
  #nextId = 1;

  constructor(node: ContentNode, mutations: Pick<ContentMutations, 'alignNode' | 'updateNodes'>) {
    this.node = node;
    this.#mutations = mutations;
    makeObservable<this, 'startSaving' | 'finishSaving'>(this, {
      node: observableRef,
      ties: observableRef,
      direction: observableRef,
      point: observableRef,
      chosenMode: observableRef,
      turnedHeading: observableRef,
      chosenLevelling: observableRef,
      changed: observableRef,
      saving: observableRef,
      failure: observableRef,
      theirs: observableRef,
      mode: computed,
      result: computed,
      fit: computed,
      pose: computed,
      residualBefore: computed,
      tilt: computed,
      canLevel: computed,
      isLevelling: computed,
      cameraPose: computed,
      hasMaxTies: computed,
      setNode: action,
      restore: action,
      markDirection: action,
      markPoint: action,
      clearMarks: action,
      removeTie: action,
      chooseMode: action,
      chooseLevelling: action,
      turn: action,
      startSaving: action,
      finishSaving: action,
    });
  }

  get mode(): AlignMode {
    return this.chosenMode ?? (this.ties.length >= 3 ? 'pose' : 'heading');
  }

  get result(): ViewpointFitResult {
    const { position, heading } = this.node;
    const levelPose = { position, heading, pitch: 0, roll: 0 };
    const { ties, mode } = this;
    return fitViewpoint(levelPose, ties, this.isLevelling ? levellingModes[mode] : mode);
  }

  get fit(): ViewpointFit | undefined {
    return this.result.fit;
  }

  /** The pose that would be saved. */
  get pose(): Pose {
    const { fit, node, turnedHeading } = this;
    return fit
      ? { position: fit.pose.position, heading: fit.pose.heading }
      : { position: node.position, heading: turnedHeading ?? node.heading };
  }

  /** The pose of the picture as it is shown. */
  get cameraPose(): CameraPose {
    return this.fit?.pose ?? { ...this.pose, pitch: 0, roll: 0 };
  }

  /** True if there are enough ties to determine pitch and roll. */
  get canLevel(): boolean {
    return this.ties.length >= minTiesToLevel[this.mode];
  }

  /** True if pitch and roll are corrected, by choice or because the ties show a tilt. */
  get isLevelling(): boolean {
    return this.canLevel && (this.chosenLevelling ?? this.tilt !== undefined);
  }

  /** Largest residual of the used ties in the saved pose, degrees. */
  get residualBefore(): number | undefined {
    const { fit, node } = this;
    if (!fit) return undefined;
    const residuals = computeResiduals({ ...node, pitch: 0, roll: 0 }, this.ties);
    return Math.max(...residuals.filter((_, index) => !fit.outliers[index]));
  }

  /** Pitch and roll that would reduce the residuals. Undefined for a level picture or with too few ties. */
  get tilt(): PictureTilt | undefined {
    const { mode, ties, node } = this;
    const { position, heading } = node;
    const levelPose = { position, heading, pitch: 0, roll: 0 };
    const { fit } = fitViewpoint(levelPose, ties, mode);
    const levelledFit = fitViewpoint(levelPose, ties, levellingModes[mode]).fit;
    if (!fit || !levelledFit) return undefined;
    const agreeingIndexes = levelledFit.outliers.flatMap((isRejected, index) => (isRejected ? [] : [index]));
    if (
      agreeingIndexes.length < minTiesForTilt[mode] ||
      agreeingIndexes.length < fit.outliers.filter((isRejected) => !isRejected).length
    )
      return undefined;
    const levelResidual = Math.max(...agreeingIndexes.map((index) => fit.residuals[index]!));
    const { pitch, roll } = levelledFit.pose;
    const isTilted = Math.max(Math.abs(pitch), Math.abs(roll)) >= minTiltDegrees;
    return isTilted && levelledFit.residual * minTiltGain <= levelResidual ? { pitch, roll } : undefined;
  }

  get hasMaxTies(): boolean {
    return this.ties.length >= maxTies;
  }

  /** Replaces the saved viewpoint. */
  setNode(node: ContentNode): void {
    this.node = node;
  }

  /** Restores the ties of the saved alignment, unless there are unsaved changes. */
  restore(ties: readonly SavedTie[]): void {
    if (this.changed) return;
    this.ties = ties.map(({ pan, tilt, point }) => ({ pan, tilt, point, id: this.#nextId++ }));
  }

  /** Marks a direction in the picture, in degrees from its centre. With a marked point it becomes a tie. */
  markDirection(direction: Pick<TiePoint, 'pan' | 'tilt'>): void {
    this.direction = direction;
    this.#createTie();
  }

  /** Marks a point in the site. With a marked direction it becomes a tie. */
  markPoint(point: Point3): void {
    this.point = point;
    this.#createTie();
  }

  clearMarks(): void {
    this.direction = undefined;
    this.point = undefined;
  }

  removeTie(id: number): void {
    this.ties = this.ties.filter((tie) => tie.id !== id);
    this.changed = true;
  }

  chooseMode(mode: AlignMode | undefined): void {
    this.chosenMode = mode;
  }

  chooseLevelling(isChosen: boolean): void {
    this.chosenLevelling = isChosen;
    this.changed = true;
  }

  /** Sets the heading manually. Ignored as soon as there are ties. */
  turn(heading: number): void {
    this.turnedHeading = normalizePan(heading);
    this.changed = true;
  }

  /**
   * Saves the pose, with the same correction for other viewpoints. Resolves to false if there is nothing to save, or
   * if saving fails. A failed save sets `failure` or `theirs`.
   */
  async save(
    location: string,
    { others, correction }: { readonly others: readonly ContentNode[]; readonly correction: 'HEADING' | 'POSE' },
  ): Promise<boolean> {
    const { node, pose, fit, saving } = this;
    if (saving || (fit === undefined && this.turnedHeading === undefined)) return false;
    this.startSaving();
    try {
      const { uid, name, deck, tour, version } = node;
      if (fit) {
        const ties = this.ties.map(({ id: _, ...tie }, index) => ({ ...tie, used: !fit.outliers[index] }));
        const otherNodes = others.map((otherNode) => ({ uid: otherNode.uid, version: otherNode.version }));
        const { pitch, roll } = fit.pose;
        const tilt = this.isLevelling ? { pitch, roll } : {};
        await this.#mutations.alignNode(
          { location, node },
          { ...pose, ...tilt, version, ties, correction, others: otherNodes },
        );
      } else
        await this.#mutations.updateNodes(
          { uid: tour, location },
          [{ uid, name, deck, version, ...pose }],
          'nodesMoved',
        );
      this.finishSaving({});
      return true;
    } catch (cause) {
      const theirs = readConflict<ContentNode>(cause);
      this.finishSaving(theirs ? { theirs } : { failure: cause });
      return false;
    }
  }

  #createTie(): void {
    const { direction, point } = this;
    if (!direction || !point || this.hasMaxTies) return;
    this.ties = [...this.ties, { ...direction, point, id: this.#nextId++ }];
    this.clearMarks();
    this.changed = true;
  }

  private startSaving(): void {
    this.saving = true;
    this.failure = undefined;
    this.theirs = undefined;
  }

  private finishSaving(outcome: { readonly theirs?: ContentNode; readonly failure?: unknown }): void {
    this.saving = false;
    this.theirs = outcome.theirs;
    this.failure = outcome.failure;
    if (!outcome.theirs && outcome.failure === undefined) this.changed = false;
  }
}
