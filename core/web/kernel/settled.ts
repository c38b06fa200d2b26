/**
 * A resolved promise for components that may not need to wait: they must call `use` in every render, or React reports
 * changed hooks. React reads `status` and `value`, so that this promise does not suspend.
 */
export const fulfilledPromise: Promise<void> = Object.assign(Promise.resolve(), {
  status: 'fulfilled',
  value: undefined,
});

/** Sets the fields that React's `use` reads when the promise settles, so that later renders do not suspend. */
export function exposeStatusToReact<T>(promise: Promise<T>): Promise<T> {
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
