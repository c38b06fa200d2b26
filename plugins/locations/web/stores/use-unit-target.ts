import { useState } from 'react';
import { HttpClient, Navigation, useContributions, useResource, useService } from '#core/web';
import { locationScreens, type LocationScreen } from '../../contract/index.ts';

/** The screen that a click on a unit opens. */
export interface UnitTarget {
  /** Undefined if no screen has content for the unit, or if no plugin has a screen for units. */
  readonly url: string | undefined;
  /** Whether there are screens for units, but none has content for this one. */
  readonly isEmpty: boolean;
}

/**
 * Returns a function that finds the target of a unit. Undefined until it is known which screens have content. If
 * loading fails, all screens count as having content. Call the hook in an observer.
 */
export function useUnitTarget(): ((location: string) => UnitTarget) | undefined {
  const screens = useContributions(locationScreens);
  const navigation = useService(Navigation);
  const http = useService(HttpClient);
  const [firstScreens] = useState(screens);
  const [hasFailed, setHasFailed] = useState(false);
  const content = useResource(
    async (signal) => {
      try {
        const loadScreen = async ({ id, listLocations }: LocationScreen) =>
          [id, listLocations && new Set(await listLocations(http, signal))] as const;
        return new Map(await Promise.all(firstScreens.map(loadScreen)));
      } catch (cause) {
        if (!signal.aborted) setHasFailed(true);
        throw cause;
      }
    },
    [firstScreens, http],
  );
  const { value, state } = content;
  // The links stay during a retry after a failure.
  if (state === 'loading' && !hasFailed) return undefined;
  return (location) => {
    let isEmpty = false;
    for (const { id, to } of screens) {
      const url = navigation.linkTo(to, { location });
      if (url === undefined) continue;
      if (value?.get(id)?.has(location) ?? true) return { url, isEmpty: false };
      isEmpty = true;
    }
    return { url: undefined, isEmpty };
  };
}
