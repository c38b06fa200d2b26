import { actionBound, makeObservable, observableRef } from 'mobx';
import type { Notice, Notifications } from './services.ts';

/** Maximum number of dismissed notices in memory. */
const maxPastNotices = 20;

/** The visible notices, in order of arrival. */
export class NotificationsService implements Notifications {
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

  /** Also removes a notice that the person cannot dismiss, but without adding it to `past`. */
  dismiss(id: string): void {
    const dismissedNotices = this.notices.filter((notice) => notice.id === id && notice.dismissable);
    this.past = [...dismissedNotices, ...this.past.filter((notice) => notice.id !== id)].slice(0, maxPastNotices);
    this.notices = this.notices.filter((notice) => notice.id !== id);
  }
}
