import { useState } from 'react';
import { HttpClient, Navigation, useContributions, useResource, useService } from '#core/web';
import { locationScreens } from '../../contract/index.ts';

/** What a click on a unit opens. */
export interface UnitTarget {
  /** Undefined if no screen has content for the unit, or if no plugin has a screen for units. */
  readonly address: string | undefined;
  /** Whether there are screens for units, but none has content for this one. */
  readonly isEmpty: boolean;
}

/**
 * Returns a function that finds the target of a unit. Until it is known which screens have content, and if that cannot
 * be loaded, each counts as having some. Must be called in an observer.
 */
export function useUnitTarget(): (location: string) => UnitTarget {
  const screens = useContributions(locationScreens);
  const navigation = useService(Navigation);
  const http = useService(HttpClient);
  const [firstScreens] = useState(screens);
  const content = useResource(
    async (signal) =>
      new Map(
        await Promise.all(
          firstScreens.map(
            async ({ id, listLocations }) => [id, listLocations && new Set(await listLocations(http, signal))] as const,
          ),
        ),
      ),
    [firstScreens, http],
  );
  return (location) => {
    let isEmpty = false;
    for (const { id, to } of screens) {
      const address = navigation.linkTo(to, { location });
      if (address === undefined) continue;
      if (content.value?.get(id)?.has(location) ?? true) return { address, isEmpty: false };
      isEmpty = true;
    }
    return { address: undefined, isEmpty };
  };
}
