import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { LocationNode } from '#core';
import { Locations } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';

/**
 * The location that an admin manages: from the URL, else the first one. Undefined while locations load or if there
 * are none. Call it in an observer.
 */
export function useChosenLocation(): readonly [location: LocationNode | undefined, choose: (uid: string) => void] {
  const locations = useService(Locations);
  const [searchParams, setSearchParams] = useSearchParams();
  useEffect(() => {
    void locations.load();
  }, [locations]);
  const chosenLocation = locations.find(searchParams.get('location') ?? '') ?? locations.roots[0];
  const choose = (uid: string): void => {
    const nextParams = new URLSearchParams(searchParams);
    nextParams.set('location', uid);
    setSearchParams(nextParams, { replace: true });
  };
  return [chosenLocation, choose];
}
