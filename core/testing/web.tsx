import { act, cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { basePath } from '#core';
import { disposeHarnesses } from './web/render-screen.tsx';

export * from './web/conformance.ts';
export * from './web/refusal-problems.ts';
export * from './web/fake-locks.ts';
export * from './web/fake-page.ts';
export * from './web/fake-server.ts';
export * from './web/fake-server-events.ts';
export * from './web/pretend-size.ts';
export * from './web/render-screen.tsx';
export * from './web/test-people.ts';
export * from './web/test-sites.ts';

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean | undefined;
}

// An `act` that is not awaited loses updates that suspend within it (such as a lazy screen after a click). No `act` is
// needed while user-event waits.
configure({
  eventWrapper: (dispatch) => {
    if (globalThis.IS_REACT_ACT_ENVIRONMENT === false) return dispatch();
    let result: unknown;
    act(() => {
      result = dispatch();
    });
    return result;
  },
});

afterEach(() => {
  cleanup();
  disposeHarnesses();
  document.cookie = 'username=; Path=/; Max-Age=0';
  for (const choice of ['language', 'theme']) document.cookie = `${choice}=; Path=${basePath}; Max-Age=0`;
  localStorage.clear();
  sessionStorage.clear();
});
