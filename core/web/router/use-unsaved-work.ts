import { useEffect } from 'react';
import { useService } from '../kernel/use-service.ts';
import { UnsavedWork } from './unsaved-work.ts';

/**
 * Makes the page ask before the person leaves while `unsaved` is true. `owner` is the id of the form or tool, for
 * debugging.
 */
export function useUnsavedWork(unsaved: boolean, owner: string): void {
  const work = useService(UnsavedWork);
  useEffect(() => (unsaved ? work.register(owner) : undefined), [unsaved, owner, work]);
}
