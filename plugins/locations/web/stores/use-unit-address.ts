import { Navigation, useContributions, useService } from '#core/web';
import { locationScreens } from '../../contract/index.ts';

/** Returns a function that finds the address of a unit. It is undefined if no plugin has a screen for the unit. */
export function useUnitAddress(): (location: string) => string | undefined {
  const screens = useContributions(locationScreens);
  const navigation = useService(Navigation);
  return (location) => {
    for (const { to } of screens) {
      const address = navigation.linkTo(to, { location });
      if (address !== undefined) return address;
    }
    return undefined;
  };
}
