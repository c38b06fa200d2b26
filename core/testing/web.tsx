import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';
import { endStages } from './web/render-screen.tsx';

export * from './web/conformance.ts';
export * from './web/fake-locks.ts';
export * from './web/fake-page.ts';
export * from './web/fake-server.ts';
export * from './web/render-screen.tsx';
export * from './web/test-people.ts';

afterEach(() => {
  cleanup();
  endStages();
  document.cookie = 'username=; Path=/; Max-Age=0';
  localStorage.clear();
  sessionStorage.clear();
});
