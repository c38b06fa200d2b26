import { useEffect, useState } from 'react';

/** True once `milliseconds` have gone by since the component was mounted: what comes quickly needs no spinner. */
export function useDelayed(milliseconds: number): boolean {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return due;
}
