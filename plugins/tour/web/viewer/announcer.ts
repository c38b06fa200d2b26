import type { Emitter } from '#core';
import type { PanoramaEvents, PanoramaView } from '#plugins/tour';

/** Emits events after each frame, each change once. */
export class Announcer {
  /** Id of the last picture with a `shown` event. */
  shown: string | undefined;
  /** The view has changed since the previous frame. */
  viewMoved = false;
  readonly #events: Emitter<PanoramaEvents>;
  #view: PanoramaView;
  #sharp: string | undefined;

  constructor(events: Emitter<PanoramaEvents>, view: PanoramaView) {
    this.#events = events;
    this.#view = view;
  }

  /** The next frame emits `shown` again, even for the same picture. */
  forgetPicture(): void {
    this.shown = undefined;
    this.#sharp = undefined;
  }

  /** `shown`: id of the picture on screen, undefined during a transition. `sharp`: none of its tiles is missing. */
  announce(frame: { readonly view: PanoramaView; readonly shown: string | undefined; readonly sharp: boolean }): void {
    const { view, shown } = frame;
    const sharp = frame.sharp ? shown : undefined;
    const before = { view: this.#view, shown: this.shown, sharp: this.#sharp };
    this.#view = view;
    this.shown = shown ?? this.shown;
    this.#sharp = sharp;
    this.viewMoved = view.pan !== before.view.pan || view.tilt !== before.view.tilt || view.fov !== before.view.fov;
    if (this.viewMoved) this.#events.emit('viewChanged', view);
    if (shown !== undefined && shown !== before.shown) this.#events.emit('shown', { id: shown });
    if (sharp !== undefined && sharp !== before.sharp) this.#events.emit('sharp', { id: sharp });
  }
}
