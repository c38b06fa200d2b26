import { action, makeObservable, observableRef } from 'mobx';
import type { Point3 } from '#core';
import { matchReasons } from '../../../../common/match-panoramas.ts';
import type { PictureMetadata } from '../../../../common/picture-metadata.ts';

/** Reason of an assignment: a match, the choice of the person, or a node that was created for the file. */
export const assignmentReasons = [...matchReasons, 'CHOSEN', 'CREATED'] as const;
export interface NodeAssignment {
  readonly nodeUid: string;
  readonly reason: (typeof assignmentReasons)[number];
}

export type BatchState = 'WAITING' | 'SENDING' | 'SENT' | 'UNCHANGED' | 'FAILED';

/** A file of a batch with its assigned node and its upload state. */
export class BatchFile {
  readonly id: number;
  readonly file: File;
  metadata: PictureMetadata = {};
  /** Position in the site frame, metres. Undefined if unknown. */
  position: Point3 | undefined = undefined;
  assignment: NodeAssignment | undefined = undefined;
  uploadState: BatchState = 'WAITING';
  /** The uploaded fraction, 0 to 1. */
  fraction = 0;
  failure: unknown = undefined;

  constructor(id: number, file: File) {
    this.id = id;
    this.file = file;
    makeObservable(this, {
      metadata: observableRef,
      position: observableRef,
      assignment: observableRef,
      uploadState: observableRef,
      fraction: observableRef,
      failure: observableRef,
      setMetadata: action,
      setPosition: action,
      assign: action,
      setUploadState: action,
    });
  }

  get isSent(): boolean {
    return this.uploadState === 'SENT' || this.uploadState === 'UNCHANGED';
  }

  setMetadata(metadata: PictureMetadata): void {
    this.metadata = metadata;
  }

  setPosition(position: Point3 | undefined): void {
    this.position = position;
  }

  assign(assignment: NodeAssignment | undefined): void {
    this.assignment = assignment;
    if (this.uploadState === 'FAILED') this.uploadState = 'WAITING';
  }

  setUploadState(
    uploadState: BatchState,
    { fraction = 0, failure }: { readonly fraction?: number; readonly failure?: unknown } = {},
  ): void {
    this.uploadState = uploadState;
    this.fraction = fraction;
    this.failure = failure;
  }
}
