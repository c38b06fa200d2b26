import { adminGroups, type AdminGroup } from '../kernel/core-points.ts';
import { useContributions } from '../router/contributions.tsx';
import type { MenuEntry } from '../router/route-table.ts';
import { useMenu } from '../router/use-menu.ts';

const coreGroups: readonly AdminGroup[] = [
  { id: 'people', order: 100, title: 'core.admin.group.people' },
  { id: 'content', order: 200, title: 'core.admin.group.content' },
  { id: 'configuration', order: 900, title: 'core.admin.group.configuration' },
];
const otherGroup: AdminGroup = { id: 'other', order: Infinity, title: 'core.admin.group.other' };

export interface AdminSection {
  readonly group: AdminGroup;
  readonly entries: readonly MenuEntry[];
}

/**
 * The admin menu under its headings, sorted by (`order`, `id`). A heading without items is left out; an item whose
 * group is missing stands under the last heading. To be called in an observer.
 */
export function useAdminSections(): readonly AdminSection[] {
  const entries = useMenu('admin.sidebar');
  const groups = [...coreGroups, ...useContributions(adminGroups)].toSorted(
    (a, b) => a.order - b.order || (a.id < b.id ? -1 : 1),
  );
  const groupOf = (entry: MenuEntry) => groups.find(({ id }) => id === entry.group) ?? otherGroup;
  return [...groups, otherGroup]
    .map((group) => ({ group, entries: entries.filter((entry) => groupOf(entry) === group) }))
    .filter((section) => section.entries.length > 0);
}
