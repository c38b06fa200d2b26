import { inject, injectable } from 'inversify';
import { action, autorun, computed, makeObservable, observableRef } from 'mobx';
import { Notifications, Session } from '#core/web';
import { PanoramaEngines, type PictureCorrection } from '#plugins/tour';

export const noCorrection: PictureCorrection = { brightness: 0, contrast: 0 };
/** Milliseconds between the last change and the save, so that dragging a slider sends one request. */
export const saveDelayMs = 600;

/** The person's correction of panoramas. Changes apply immediately and are saved with the preferences. */
@injectable()
export class CorrectionStore {
  /** The correction that was chosen on this page, if any. */
  chosenCorrection: PictureCorrection | undefined = undefined;
  readonly #session: Session;
  readonly #notifications: Notifications;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    @inject(Session) session: Session,
    @inject(Notifications) notifications: Notifications,
    @inject(PanoramaEngines) engines: PanoramaEngines,
  ) {
    this.#session = session;
    this.#notifications = notifications;
    makeObservable(this, {
      chosenCorrection: observableRef,
      correction: computed,
      isNeutral: computed,
      change: action,
    });
    autorun(() => engines.correct(this.correction));
  }

  get correction(): PictureCorrection {
    return this.chosenCorrection ?? this.#session.me?.preferences.picture ?? noCorrection;
  }

  /** True if the correction has no effect. */
  get isNeutral(): boolean {
    return this.correction.brightness === 0 && this.correction.contrast === 0;
  }

  change(correction: Partial<PictureCorrection>): void {
    this.chosenCorrection = { ...this.correction, ...correction };
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => void this.#save(), saveDelayMs);
  }

  async #save(): Promise<void> {
    const { picture: _, ...others } = this.#session.me?.preferences ?? {};
    try {
      await this.#session.savePreferences(this.isNeutral ? others : { ...others, picture: this.correction });
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
