import { useEffect } from 'react';
import { Locations, useService } from '#core/web';
import { LocationPicturesStore } from './location-pictures-store.ts';

/** Loads the locations and their images. Loads them again when a lost connection returns. */
export function useLoadLocations(): void {
  const locations = useService(Locations);
  const pictures = useService(LocationPicturesStore);
  useEffect(() => {
    const load = (): void => {
      void locations.load();
      void pictures.load();
    };
    load();
    window.addEventListener('online', load);
    return () => window.removeEventListener('online', load);
  }, [locations, pictures]);
}
