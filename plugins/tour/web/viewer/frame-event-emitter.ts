import type { Emitter } from '#core';
import type { PanoramaEvents, PanoramaView } from '#plugins/tour';

/** Emits the events of a frame. Each change is emitted once. */
export class FrameEventEmitter {
  /** Id of the last picture with a `shown` event. */
  shownId: string | undefined;
  /** True if the view has changed since the previous frame. */
  viewChanged = false;
  readonly #events: Emitter<PanoramaEvents>;
  #view: PanoramaView;
  #sharpId: string | undefined;

  constructor(events: Emitter<PanoramaEvents>, view: PanoramaView) {
    this.#events = events;
    this.#view = view;
  }

  /** Makes the next frame emit `shown` again, even for the same picture. */
  resetPicture(): void {
    this.shownId = undefined;
    this.#sharpId = undefined;
  }

  /**
   * Emits the changes of a frame. `shownId` is the id of the picture on screen, undefined during a transition.
   * `isSharp` is true if all its tiles are on screen.
   */
  emitChanges(frame: {
    readonly view: PanoramaView;
    readonly shownId: string | undefined;
    readonly isSharp: boolean;
  }): void {
    const { view, shownId } = frame;
    const sharpId = frame.isSharp ? shownId : undefined;
    const previous = { view: this.#view, shownId: this.shownId, sharpId: this.#sharpId };
    this.#view = view;
    this.shownId = shownId ?? this.shownId;
    this.#sharpId = sharpId;
    this.viewChanged =
      view.pan !== previous.view.pan || view.tilt !== previous.view.tilt || view.fov !== previous.view.fov;
    if (this.viewChanged) this.#events.emit('viewChanged', view);
    if (shownId !== undefined && shownId !== previous.shownId) this.#events.emit('shown', { id: shownId });
    if (sharpId !== undefined && sharpId !== previous.sharpId) this.#events.emit('sharp', { id: sharpId });
  }
}
