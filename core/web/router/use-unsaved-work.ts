import { useEffect } from 'react';
import { useService } from '../kernel/use-service.ts';
import { UnsavedWork } from './unsaved-work.ts';

/** While `unsaved` is true, leaving the page asks first. `owner` names what would be lost, for messages. */
export function useUnsavedWork(unsaved: boolean, owner: string): void {
  const work = useService(UnsavedWork);
  useEffect(() => (unsaved ? work.hold(owner) : undefined), [unsaved, owner, work]);
}
