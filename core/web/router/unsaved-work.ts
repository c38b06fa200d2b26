import { actionBound, computed, makeObservable, observableRef, runInAction } from 'mobx';
import { token } from '#core';

/** Tracks whether leaving the page would lose work. Its state is observable. */
export const UnsavedWork = token<UnsavedWork>('core.UnsavedWork');
export interface UnsavedWork {
  readonly exists: boolean;
  /** Registers unsaved work until the returned function is called. `owner` is an id for debugging. */
  register(owner: string): () => void;
  /** Discards all unsaved work because the session ended or the person agreed. */
  discard(): void;
  /** The pending question, which a dialog shows. */
  readonly question: LeaveQuestion | undefined;
  /** Resolves to true if nothing is lost or the person agrees to lose it. */
  confirmLeave(): Promise<boolean>;
}
export interface LeaveQuestion {
  leave(): void;
  stay(): void;
}

export class UnsavedWorkService implements UnsavedWork {
  owners: ReadonlySet<symbol> = new Set();
  question: LeaveQuestion | undefined = undefined;
  #pendingQuestion: Promise<boolean> | undefined;

  /** Handles `beforeunload` of `browserWindow`, so that the browser asks before it closes the tab. */
  constructor(browserWindow: Pick<Window, 'addEventListener'> = window) {
    makeObservable(this, {
      owners: observableRef,
      question: observableRef,
      exists: computed,
      register: actionBound,
      discard: actionBound,
      confirmLeave: actionBound,
    });
    browserWindow.addEventListener('beforeunload', (event) => {
      if (this.exists) event.preventDefault();
    });
  }

  get exists(): boolean {
    return this.owners.size > 0;
  }

  register(owner: string): () => void {
    const holder = Symbol(owner);
    this.owners = new Set([...this.owners, holder]);
    return () =>
      runInAction(() => {
        this.owners = new Set([...this.owners].filter((other) => other !== holder));
      });
  }

  discard(): void {
    this.owners = new Set();
  }

  confirmLeave(): Promise<boolean> {
    if (!this.exists) return Promise.resolve(true);
    this.#pendingQuestion ??= new Promise<boolean>((resolve) => {
      const createAnswer = (leave: boolean) => () =>
        runInAction(() => {
          this.question = undefined;
          this.#pendingQuestion = undefined;
          if (leave) this.discard();
          resolve(leave);
        });
      this.question = { leave: createAnswer(true), stay: createAnswer(false) };
    });
    return this.#pendingQuestion;
  }
}
