/**
 * `use` must be called again when a component is drawn anew after it waited, or React loses count of its hooks. Where
 * there is nothing (more) to wait for, it is given promises that bear React's own marks: these it answers at once.
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
