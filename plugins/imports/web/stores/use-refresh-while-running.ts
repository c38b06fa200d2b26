import { useEffect } from 'react';
import { runningPhases } from './import-steps.ts';
import type { OpenImport } from './open-import.ts';

const intervalMs = 5000;

/**
 * Loads an import again while a job changes it or the import that it follows. Events of the job reach its author only;
 * other admins see it this way. Must be called in an observer.
 */
export function useRefreshWhileRunning(openImport: OpenImport): void {
  const phase = openImport.value?.phase;
  const isRunning = phase === 'WAITING' || (phase !== undefined && runningPhases.includes(phase));
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => void openImport.resource.loadShared(), intervalMs);
    return () => clearInterval(timer);
  }, [openImport, isRunning]);
}
