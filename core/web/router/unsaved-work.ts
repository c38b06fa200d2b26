import { actionBound, computed, makeObservable, observableRef, runInAction } from 'mobx';
import { token } from '#core';

/** Tracks whether leaving the page would lose work. Observable. */
export const UnsavedWork = token<UnsavedWork>('core.UnsavedWork');
export interface UnsavedWork {
  readonly exists: boolean;
  /** Registers unsaved work of `owner` until the returned function is called. */
  hold(owner: string): () => void;
  /** Discards all of it: the session ended, or the person agreed. */
  forget(): void;
  /** The pending question, which a dialog shows. */
  readonly question: LeaveQuestion | undefined;
  /** Resolves to true if nothing is lost or the person agrees to lose it. */
  mayLeave(): Promise<boolean>;
}
export interface LeaveQuestion {
  leave(): void;
  stay(): void;
}

export class UnsavedWorkService implements UnsavedWork {
  holders: ReadonlySet<symbol> = new Set();
  question: LeaveQuestion | undefined = undefined;
  #pendingQuestion: Promise<boolean> | undefined;

  /** `page`: the window, whose `beforeunload` guards against closing the tab. */
  constructor(page: Pick<Window, 'addEventListener'> = window) {
    makeObservable(this, {
      holders: observableRef,
      question: observableRef,
      exists: computed,
      hold: actionBound,
      forget: actionBound,
      mayLeave: actionBound,
    });
    page.addEventListener('beforeunload', (event) => {
      if (this.exists) event.preventDefault();
    });
  }

  get exists(): boolean {
    return this.holders.size > 0;
  }

  hold(owner: string): () => void {
    const holder = Symbol(owner);
    this.holders = new Set([...this.holders, holder]);
    return () =>
      runInAction(() => {
        this.holders = new Set([...this.holders].filter((other) => other !== holder));
      });
  }

  forget(): void {
    this.holders = new Set();
  }

  mayLeave(): Promise<boolean> {
    if (!this.exists) return Promise.resolve(true);
    this.#pendingQuestion ??= new Promise<boolean>((resolve) => {
      const answer = (leave: boolean) => () =>
        runInAction(() => {
          this.question = undefined;
          this.#pendingQuestion = undefined;
          if (leave) this.forget();
          resolve(leave);
        });
      this.question = { leave: answer(true), stay: answer(false) };
    });
    return this.#pendingQuestion;
  }
}
