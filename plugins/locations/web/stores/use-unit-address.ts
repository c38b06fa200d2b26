import { Navigation, useContributions, useService } from '#core/web';
import { locationScreens } from '../../contract/index.ts';

/** Returns the address of a unit by its uid; undefined if no plugin has a screen for it. Call it in an observer. */
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
