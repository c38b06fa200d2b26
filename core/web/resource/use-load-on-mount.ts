import { useEffect } from 'react';

/** Loads a resource while the component is mounted. */
export function useLoadOnMount(resource: { load(): unknown; dispose(): void }): void {
  useEffect(() => {
    void resource.load();
    return () => resource.dispose();
  }, [resource]);
}
