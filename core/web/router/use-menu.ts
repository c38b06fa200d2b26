import { token } from '#core';
import { useMessages } from '../i18n/use-messages.ts';
import { Access, Session } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import type { MenuSlot } from '../kernel/web-plugin.ts';
import type { MenuEntry, RouteTable, RouteAccess } from './route-table.ts';

/** The product's screens, for shell components. */
export const Routes = token<RouteTable>('core.Routes');

/** The signed-in person's access to routes. Must be called in an observer. */
export function useRouteAccess(): RouteAccess {
  const access = useService(Access);
  const session = useService(Session);
  return { access: access.info, isAdmin: session.isAdmin };
}

/** Menu items that the person may use. Suspends until their messages are loaded. Must be called in an observer. */
export function useMenu(slot: MenuSlot): readonly MenuEntry[] {
  const entries = useService(Routes).menu(slot, useRouteAccess());
  useMessages(entries.map(({ plugin }) => plugin));
  return entries;
}
