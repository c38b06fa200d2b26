import { actionBound, makeObservable, observableRef } from 'mobx';
import type { Notice, Notifications } from './services.ts';

/** Maximum number of dismissed notices in memory. */
const maxPastNotices = 20;

export class NotificationsService implements Notifications {
  /** The visible notices. A new notice is added at the end, or takes the place of the one with its id. */
  notices: readonly Notice[] = [];
  past: readonly Notice[] = [];

  constructor() {
    makeObservable(this, { notices: observableRef, past: observableRef, show: actionBound, dismiss: actionBound });
  }

  show(notice: Notice): void {
    const otherNotices = this.notices.filter((other) => other.id !== notice.id);
    const index = this.notices.findIndex((other) => other.id === notice.id);
    this.notices = index < 0 ? [...otherNotices, notice] : otherNotices.toSpliced(index, 0, notice);
  }

  /** Removes a notice and adds it to `past`. A notice that the person cannot dismiss is only removed. */
  dismiss(id: string): void {
    const noticesForPast = this.notices.filter((notice) => notice.id === id && notice.dismissable);
    this.past = [...noticesForPast, ...this.past.filter((notice) => notice.id !== id)].slice(0, maxPastNotices);
    this.notices = this.notices.filter((notice) => notice.id !== id);
  }
}
