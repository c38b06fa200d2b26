import { useEffect, useState } from 'react';

/** False until `milliseconds` have passed since the mount, so that a short wait shows no spinner. */
export function useDelayed(milliseconds: number): boolean {
  const [elapsed, setElapsed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return elapsed;
}
