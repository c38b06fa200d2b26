import { inject, injectable } from 'inversify';
import { action, autorun, computed, makeObservable, observableRef } from 'mobx';
import { token } from '#core';
import { Notifications, Session } from '#core/web';
import { PanoramaEngines, type PictureCorrection } from '#plugins/tour';

/** How the person has panoramas corrected: shown at once, kept with their preferences. Observable. */
export const PictureChoice = token<PictureChoice>('tour.PictureChoice');
export interface PictureChoice {
  readonly correction: PictureCorrection;
  /** Whether it changes anything. */
  readonly neutral: boolean;
  change(correction: Partial<PictureCorrection>): void;
}

export const asTaken: PictureCorrection = { brightness: 0, contrast: 0 };
/** Milliseconds after the last change before it is kept: a slider that is drawn sends one call. */
export const saveDelayMs = 600;

@injectable()
export class MobxPictureChoice implements PictureChoice {
  /** Of this page, until it is kept. */
  changed: PictureCorrection | undefined = undefined;
  readonly #session: Session;
  readonly #notifications: Notifications;
  #saving: ReturnType<typeof setTimeout> | undefined;

  constructor(
    @inject(Session) session: Session,
    @inject(Notifications) notifications: Notifications,
    @inject(PanoramaEngines) engines: PanoramaEngines,
  ) {
    this.#session = session;
    this.#notifications = notifications;
    makeObservable(this, { changed: observableRef, correction: computed, neutral: computed, change: action });
    autorun(() => engines.correct(this.correction));
  }

  get correction(): PictureCorrection {
    return this.changed ?? this.#session.me?.preferences.picture ?? asTaken;
  }

  get neutral(): boolean {
    return this.correction.brightness === 0 && this.correction.contrast === 0;
  }

  change(correction: Partial<PictureCorrection>): void {
    this.changed = { ...this.correction, ...correction };
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => void this.#keep(), saveDelayMs);
  }

  async #keep(): Promise<void> {
    const { picture: _, ...others } = this.#session.me?.preferences ?? {};
    try {
      await this.#session.savePreferences(this.neutral ? others : { ...others, picture: this.correction });
    } catch {
      this.#notifications.show({
        id: 'tour.pictureNotKept',
        kind: 'warning',
        area: 'bottom',
        message: 'tour.pictureNotKept',
        dismissable: true,
      });
    }
  }
}
