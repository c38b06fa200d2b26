import { useEffect } from 'react';
import type { Failure } from './failure.ts';

interface LoadableResource {
  readonly failure: Failure | undefined;
  load(): unknown;
  dispose(): void;
}

/** Loads a resource while the component is mounted, and again when a lost connection returns. */
export function useLoadOnMount(resource: LoadableResource): void {
  useEffect(() => {
    void resource.load();
    const onOnline = (): void => {
      if (resource.failure?.kind === 'offline') void resource.load();
    };
    window.addEventListener('online', onOnline);
    return () => {
      window.removeEventListener('online', onOnline);
      resource.dispose();
    };
  }, [resource]);
}
