import { useCallback } from 'react';
import type { Preferences } from '#core/api';
import { Notifications, Session, useService } from '#core/web';

/**
 * Returns a function that saves changed preferences and shows the result. The value undefined removes a preference.
 * If saving fails, the new value stays on the screen and an error is shown.
 */
export function useSavePreferences(): (change: {
  readonly [K in keyof Preferences]: Preferences[K] | undefined;
}) => Promise<void> {
  const session = useService(Session);
  const notifications = useService(Notifications);
  return useCallback(
    async (change) => {
      const entries = Object.entries({ ...session.me?.preferences, ...change }).filter(
        ([, value]) => value !== undefined,
      );
      try {
        await session.savePreferences(Object.fromEntries(entries));
        notifications.show({
          id: 'account.saved',
          kind: 'success',
          area: 'bottom',
          message: 'account.saved',
          dismissable: true,
        });
      } catch {
        notifications.show({
          id: 'account.saved',
          kind: 'error',
          area: 'bottom',
          message: 'account.notSaved',
          dismissable: true,
        });
      }
    },
    [session, notifications],
  );
}
