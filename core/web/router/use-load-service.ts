import { useCallback } from 'react';
import type { Contribution, Token } from '#core';
import { usePluginScope } from '../kernel/plugin-scope.tsx';
import { findPluginId } from './contributions.tsx';

/**
 * Returns a function that loads a service as the plugin of a contribution sees it. It rejects if the code cannot be
 * loaded. In contrast to `useService`, the service is loaded when it is needed.
 */
export function useLoadService(): <T>(contribution: Contribution, token: Token<T>) => Promise<T> {
  const { host } = usePluginScope();
  return useCallback((contribution, token) => host.getService(findPluginId(contribution), token), [host]);
}
