import type { Emitter } from '#core';
import type { PanoramaEvents, PanoramaView } from '#plugins/tour';

/** Emits the events of a frame. Each change is emitted once. */
export class FrameEventEmitter {
  /** Id of the last picture with a `shown` event. */
  shown: string | undefined;
  /** True if the view has changed since the previous frame. */
  viewChanged = false;
  readonly #events: Emitter<PanoramaEvents>;
  #view: PanoramaView;
  #sharp: string | undefined;

  constructor(events: Emitter<PanoramaEvents>, view: PanoramaView) {
    this.#events = events;
    this.#view = view;
  }

  /** Makes the next frame emit `shown` again, even for the same picture. */
  resetPicture(): void {
    this.shown = undefined;
    this.#sharp = undefined;
  }

  /**
   * Emits the changes of a frame. `shown` is the id of the picture on screen, undefined during a transition. `sharp` is
   * true if all its tiles are on screen.
   */
  emitChanges(frame: {
    readonly view: PanoramaView;
    readonly shown: string | undefined;
    readonly sharp: boolean;
  }): void {
    const { view, shown } = frame;
    const sharp = frame.sharp ? shown : undefined;
    const previous = { view: this.#view, shown: this.shown, sharp: this.#sharp };
    this.#view = view;
    this.shown = shown ?? this.shown;
    this.#sharp = sharp;
    this.viewChanged =
      view.pan !== previous.view.pan || view.tilt !== previous.view.tilt || view.fov !== previous.view.fov;
    if (this.viewChanged) this.#events.emit('viewChanged', view);
    if (shown !== undefined && shown !== previous.shown) this.#events.emit('shown', { id: shown });
    if (sharp !== undefined && sharp !== previous.sharp) this.#events.emit('sharp', { id: sharp });
  }
}
