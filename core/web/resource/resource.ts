import { action, computed, makeObservable, observableRef } from 'mobx';
import { toFailure, type Failure } from './failure.ts';
import type { ResourceState } from './resource-state.ts';

/** Loads a value; undefined if there is nothing to load yet. */
export type LoadResource<T> = (signal: AbortSignal) => Promise<T> | undefined;

/** A value loaded from the server, with its loading state. Its properties are observable. */
export class Resource<T> {
  value: T | undefined = undefined;
  failure: Failure | undefined = undefined;
  running = false;
  readonly #load: LoadResource<T>;
  #controller: AbortController | undefined;
  #call: Promise<void> | undefined;

  constructor(load: LoadResource<T>) {
    this.#load = load;
    makeObservable<this, 'start' | 'succeed' | 'fail' | 'stop'>(this, {
      value: observableRef,
      failure: observableRef,
      running: observableRef,
      state: computed,
      update: action,
      start: action,
      succeed: action,
      fail: action,
      stop: action,
    });
  }

  get state(): ResourceState {
    if (this.value !== undefined) return this.running || this.failure ? 'stale' : 'ready';
    return this.failure ? 'failed' : 'loading';
  }

  /** Aborts the running call and starts another. Resolves when the call ends, and never rejects. */
  load(): Promise<void> {
    this.#controller?.abort();
    const controller = new AbortController();
    this.#controller = controller;
    const call = this.#run(controller.signal).finally(() => {
      if (this.#call === call) this.#call = undefined;
    });
    this.#call = call;
    return call;
  }

  /** Like `load`, but joins a running call. */
  loadShared(): Promise<void> {
    return this.#call ?? this.load();
  }

  /** Loads again after a failure. */
  readonly retry = (): void => void this.load();

  /** Updates the value, such as with a change's reply. Does nothing without a value. */
  update(change: (value: T) => T): void {
    if (this.value !== undefined) this.value = change(this.value);
  }

  /** Aborts the running call. `load` works again afterwards. */
  dispose(): void {
    this.#controller?.abort();
    this.stop();
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      const call = this.#load(signal);
      if (!call) return this.stop();
      this.start();
      const value = await call;
      if (!signal.aborted) this.succeed(value);
    } catch (cause) {
      if (!signal.aborted) this.fail(cause);
    }
  }

  private start(): void {
    this.running = true;
    // A failed reload keeps its message until the next call ends, to avoid flicker.
    if (this.value === undefined) this.failure = undefined;
  }

  private succeed(value: T): void {
    this.value = value;
    this.failure = undefined;
    this.running = false;
  }

  private fail(cause: unknown): void {
    this.failure = toFailure(cause);
    this.running = false;
  }

  private stop(): void {
    this.running = false;
  }
}
