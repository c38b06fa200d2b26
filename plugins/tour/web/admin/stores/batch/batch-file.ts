import { action, makeObservable, observableRef } from 'mobx';
import type { Point3 } from '#core';
import { matchReasons } from '../../../../common/match-panoramas.ts';
import type { PictureFacts } from '../../../../common/picture-facts.ts';

/** Why a file belongs to a viewpoint: it matched, the person chose, or the viewpoint was made for it. */
export const batchReasons = [...matchReasons, 'HAND', 'MADE'] as const;
export interface BatchMatch {
  readonly node: string;
  readonly reason: (typeof batchReasons)[number];
}

export type BatchState = 'WAITING' | 'SENDING' | 'SENT' | 'UNCHANGED' | 'FAILED';

/** A file of a batch, where it belongs, and how far its upload is. */
export class BatchFile {
  readonly id: number;
  readonly file: File;
  facts: PictureFacts = {};
  /** In the site frame, metres. Undefined if unknown. */
  position: Point3 | undefined = undefined;
  match: BatchMatch | undefined = undefined;
  state: BatchState = 'WAITING';
  /** 0 to 1. */
  share = 0;
  failure: unknown = undefined;

  constructor(id: number, file: File) {
    this.id = id;
    this.file = file;
    makeObservable(this, {
      facts: observableRef,
      position: observableRef,
      match: observableRef,
      state: observableRef,
      share: observableRef,
      failure: observableRef,
      setFacts: action,
      setPosition: action,
      assign: action,
      report: action,
    });
  }

  get isSent(): boolean {
    return this.state === 'SENT' || this.state === 'UNCHANGED';
  }

  setFacts(facts: PictureFacts): void {
    this.facts = facts;
  }

  setPosition(position: Point3 | undefined): void {
    this.position = position;
  }

  assign(match: BatchMatch | undefined): void {
    this.match = match;
    if (this.state === 'FAILED') this.state = 'WAITING';
  }

  report(
    state: BatchState,
    { share = 0, failure }: { readonly share?: number; readonly failure?: unknown } = {},
  ): void {
    this.state = state;
    this.share = share;
    this.failure = failure;
  }
}
