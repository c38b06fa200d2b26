import { action, makeObservable, observableRef } from 'mobx';

/** The last change of this person, which can be undone. An undone change can be redone. */
export interface LastChange {
  /** Uids of the changes on the server, in the order in which they were made. */
  readonly uids: readonly string[];
  /** Message ids of the change and of its undo. */
  readonly texts: { readonly done: string; readonly undone: string };
  readonly values: Readonly<Record<string, string | number>>;
  readonly isUndone: boolean;
  /** Undoes one change on the server. Resolves to the uid of the undo, which is itself a change. */
  readonly undo: (uid: string) => Promise<string>;
}

/** Remembers the last change of a screen, undoes it and redoes it. */
export class LastChangeStore {
  last: LastChange | undefined = undefined;
  undoing = false;
  /** The error of the last failed undo. */
  undoFailure: unknown = undefined;

  constructor() {
    makeObservable<this, 'replace' | 'setUndoing' | 'setUndoFailure'>(this, {
      last: observableRef,
      undoing: observableRef,
      undoFailure: observableRef,
      report: action,
      replace: action,
      setUndoing: action,
      setUndoFailure: action,
    });
  }

  /** Replaces the last change. */
  report(change: Omit<LastChange, 'isUndone'>): void {
    this.last = { ...change, isUndone: false };
    this.undoFailure = undefined;
  }

  /** Undoes the last change, or redoes it. After a partial failure, a retry only undoes the remaining uids. */
  async undo(): Promise<void> {
    const { last } = this;
    if (!last || this.undoing) return;
    this.setUndoing(true);
    this.setUndoFailure(undefined);
    const remainingUids = [...last.uids];
    const uids: string[] = [];
    try {
      for (let uid = remainingUids.at(-1); uid !== undefined; uid = remainingUids.at(-1)) {
        uids.push(await last.undo(uid));
        remainingUids.pop();
      }
      if (this.last === last) this.replace({ ...last, uids, isUndone: !last.isUndone });
    } catch (cause) {
      if (uids.length > 0 && this.last === last) this.replace({ ...last, uids: remainingUids });
      this.setUndoFailure(cause);
    } finally {
      this.setUndoing(false);
    }
  }

  private replace(last: LastChange): void {
    this.last = last;
  }

  private setUndoing(undoing: boolean): void {
    this.undoing = undoing;
  }

  private setUndoFailure(failure: unknown): void {
    this.undoFailure = failure;
  }
}
