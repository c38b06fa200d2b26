/**
 * `use` must be called again when a suspended component renders again, or React reports changed hooks. For a settled
 * value it gets a promise with React's own marks, which it resolves synchronously.
 */
export const nothingToWaitFor: Promise<void> = Object.assign(Promise.resolve(), {
  status: 'fulfilled',
  value: undefined,
});

/** Marks the promise once it is settled. */
export function marked<T>(promise: Promise<T>): Promise<T> {
  promise.then(
    (value) => {
      void Object.assign(promise, { status: 'fulfilled', value });
    },
    (reason: unknown) => {
      void Object.assign(promise, { status: 'rejected', reason });
    },
  );
  return promise;
}
