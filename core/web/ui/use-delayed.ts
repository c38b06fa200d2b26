import { useEffect, useState } from 'react';

/** True once `milliseconds` have passed since mount, so that short waits show no spinner. */
export function useDelayed(milliseconds: number): boolean {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return due;
}
