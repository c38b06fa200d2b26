import { actionBound, makeObservable, observableRef } from 'mobx';
import type { Notice, Notifications } from './services.ts';

/** The notices that show, in the order in which they came. */
export class NotificationsService implements Notifications {
  notices: readonly Notice[] = [];

  constructor() {
    makeObservable(this, { notices: observableRef, show: actionBound, dismiss: actionBound });
  }

  show(notice: Notice): void {
    const others = this.notices.filter((other) => other.id !== notice.id);
    const place = this.notices.findIndex((other) => other.id === notice.id);
    this.notices = place < 0 ? [...others, notice] : others.toSpliced(place, 0, notice);
  }

  dismiss(id: string): void {
    this.notices = this.notices.filter((notice) => notice.id !== id);
  }
}
