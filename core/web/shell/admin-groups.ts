import type { MenuEntry } from '../router/route-table.ts';

/** The headings of the admin menu, in the order in which they stand; what names none stands under the last. */
export const adminGroups = ['people', 'content', 'imports', 'permits', 'analytics', 'configuration', 'other'] as const;
export type AdminGroup = (typeof adminGroups)[number];

export interface AdminSection {
  readonly group: AdminGroup;
  readonly entries: readonly MenuEntry[];
}

/** What plugins contributed, under its headings; a heading without items is left out. */
export function adminSections(entries: readonly MenuEntry[]): readonly AdminSection[] {
  return adminGroups
    .map((group) => ({ group, entries: entries.filter((entry) => (entry.group ?? 'other') === group) }))
    .filter((section) => section.entries.length > 0);
}
