import { injectable } from 'inversify';
import { action, makeObservable, observableRef } from 'mobx';

/** The device with which the person sets points. Hints name its action, such as a click or a tap. */
export type InputDevice = 'mouse' | 'touch' | 'keyboard';

/** The fields of a mouse or pointer event that identify the device. A click by key has the detail 0. */
interface PressEvent {
  readonly detail: number;
  readonly pointerType?: string;
}

/**
 * Stores the input device and moves the keyboard focus: to the picture when a tool starts, and back to the button when
 * the tool ends.
 */
@injectable()
export class InputStore {
  device: InputDevice = 'mouse';
  /** Whether the picture should get the focus. */
  focusRequested = false;
  #button: HTMLElement | undefined;
  #picture: HTMLElement | undefined;

  constructor() {
    makeObservable(this, {
      device: observableRef,
      focusRequested: observableRef,
      recordToolStart: action,
      setDevice: action,
      requestFocus: action,
      consumeFocusRequest: action,
    });
  }

  /** Records how a tool was started. `button` started it. It may be in a panel that closes when the tool starts. */
  recordToolStart(event: PressEvent, button: HTMLElement | null): void {
    this.device = findDevice(event);
    this.#button = this.device === 'keyboard' ? (button ?? undefined) : undefined;
    this.requestFocus();
  }

  /** Sets the picture that receives the keys of the active tool. */
  setPicture(picture: HTMLElement): void {
    this.#picture = picture;
  }

  setDevice(device: InputDevice): void {
    this.device = device;
  }

  /** Moves the focus to the picture if the person uses the keyboard. */
  requestFocus(): void {
    this.focusRequested = this.device === 'keyboard';
  }

  /** Returns true once after a request. */
  consumeFocusRequest(): boolean {
    const { focusRequested } = this;
    this.focusRequested = false;
    return focusRequested;
  }

  /** Moves the focus back to the button of a tool that was started by keyboard, or to the picture if it is gone. */
  restoreFocus(): void {
    if (this.#button?.isConnected) this.#button.focus();
    else if (this.#button) this.#picture?.focus({ preventScroll: true });
    this.#button = undefined;
  }
}

/** Safari does not report the device of a click, so it is guessed from the pointer accuracy. */
function findDevice({ detail, pointerType }: PressEvent): InputDevice {
  if (detail === 0) return 'keyboard';
  if (!pointerType) return window.matchMedia('(pointer: coarse)').matches ? 'touch' : 'mouse';
  return toDevice(pointerType);
}

/** Converts `PointerEvent.pointerType`. A pen counts as touch. */
export const toDevice = (pointerType: string): InputDevice => (pointerType === 'mouse' ? 'mouse' : 'touch');
