/**
 * A suspended component must call `use` again when it renders again, or React reports changed hooks. React resolves
 * this promise synchronously, because it has React's own marks.
 */
export const fulfilledPromise: Promise<void> = Object.assign(Promise.resolve(), {
  status: 'fulfilled',
  value: undefined,
});

/** Adds React's marks to a promise when it settles. */
export function markWhenSettled<T>(promise: Promise<T>): Promise<T> {
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
