import { ListSkeleton } from '../skeletons.tsx';
import { useDelayed } from '../use-delayed.ts';

/** Appears only after a delay, because a skeleton would flicker while a person types. */
export function DelayedSkeleton() {
  return useDelayed(300) ? <ListSkeleton /> : null;
}
