import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { LocationNode } from '#core';
import { Locations } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';

/**
 * The location that an admin looks after: it stands in the address; the first one where none does. Undefined until the
 * locations are there, or where there is none. To be called in an observer.
 */
export function useChosenLocation(): readonly [location: LocationNode | undefined, choose: (uid: string) => void] {
  const locations = useService(Locations);
  const [address, setAddress] = useSearchParams();
  useEffect(() => {
    void locations.load();
  }, [locations]);
  const chosen = locations.find(address.get('location') ?? '') ?? locations.roots[0];
  const choose = (uid: string): void => {
    const next = new URLSearchParams(address);
    next.set('location', uid);
    setAddress(next, { replace: true });
  };
  return [chosen, choose];
}
