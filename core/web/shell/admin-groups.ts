import { byOrder } from '../kernel/by-order.ts';
import { adminGroups, type AdminGroup } from '../kernel/core-points.ts';
import { useContributions } from '../router/contributions.tsx';
import type { MenuEntry } from '../router/route-table.ts';
import { useMenu } from '../router/use-menu.ts';

const coreGroup = (id: string, order: number): AdminGroup => ({ id, order, title: `core.admin.group.${id}` });
const coreGroups = [coreGroup('people', 100), coreGroup('content', 200), coreGroup('configuration', 900)];
const otherGroup = coreGroup('other', Infinity);

export interface AdminSection {
  readonly group: AdminGroup;
  readonly entries: readonly MenuEntry[];
}

/**
 * Groups the admin menu by heading, sorted by `order`, then by `id`. Omits empty headings. Items with an unknown group
 * go under the last heading. Must be called in an observer.
 */
export function useAdminSections(): readonly AdminSection[] {
  const entries = useMenu('admin.sidebar');
  const groups = [...coreGroups, ...useContributions(adminGroups)].toSorted(byOrder);
  const findGroup = (entry: MenuEntry) => groups.find(({ id }) => id === entry.group) ?? otherGroup;
  return [...groups, otherGroup]
    .map((group) => ({ group, entries: entries.filter((entry) => findGroup(entry) === group) }))
    .filter((section) => section.entries.length > 0);
}
