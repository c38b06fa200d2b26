import type { Emitter } from '#core';
import type { PanoramaEvents, PanoramaView } from '#plugins/tour';

/** Tells after each frame what became different: each thing once. */
export class Announcer {
  /** Id of the picture that was last said to be shown. */
  shown: string | undefined;
  /** The last frame showed another view than the one before. */
  viewMoved = false;
  readonly #events: Emitter<PanoramaEvents>;
  #view: PanoramaView;
  #sharp: string | undefined;

  constructor(events: Emitter<PanoramaEvents>, view: PanoramaView) {
    this.#events = events;
    this.#view = view;
  }

  /** The picture is to be told anew, also where it is the same one. */
  forgetPicture(): void {
    this.shown = undefined;
    this.#sharp = undefined;
  }

  /** `shown`: id of the picture on screen, none during a transition. `sharp`: none of its tiles is missing. */
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
