import { sql, type Kysely } from 'kysely';
import { token } from '#core';
import type { StoredSettings } from '#core/api';

/** A group of settings that admins change on a screen of a plugin, for the overview of all settings. */
export interface SettingSource {
  /** Such as `media.contactDetail`. */
  readonly key: string;
  /** The actions in the change journal that change these settings. */
  readonly actions: readonly string[];
  /** The subject of these changes, if other settings have the same actions. */
  readonly subject?: string;
  /** The number of rows. 0 if the default applies. */
  readonly count: () => Promise<number>;
}

export const SettingSources = token<SettingSources>('core.SettingSources');
export interface SettingSources {
  /** Call it while the plugin is mounted. */
  register(...sources: readonly SettingSource[]): void;
  list(): Promise<StoredSettings[]>;
}

/**
 * Creates the registry of setting sources. `tables` is the schema `core`. The number of queries depends only on the
 * number of sources.
 */
export function createSettingSources(tables: Kysely<unknown>): SettingSources {
  const registeredSources: SettingSource[] = [];
  return {
    register: (...sources) => void registeredSources.push(...sources),
    list: async () => {
      const counts = await Promise.all(registeredSources.map(({ count }) => count()));
      const latestChanges = await findLatestChanges(tables, registeredSources);
      return registeredSources.map(({ key }, index) => {
        const change = latestChanges.get(key);
        return {
          key,
          count: counts[index] ?? 0,
          changedBy: change?.name ?? null,
          changedAt: change?.at.toISOString() ?? null,
        };
      });
    },
  };
}

interface LatestChange {
  readonly key: string;
  readonly at: Date;
  readonly name: string | null;
}

async function findLatestChanges(
  tables: Kysely<unknown>,
  sources: readonly SettingSource[],
): Promise<ReadonlyMap<string, LatestChange>> {
  const sourceActions = sources.flatMap(({ key, actions, subject }) =>
    actions.map((action) => ({ key, action, subject })),
  );
  // The undo of a change, and the undo of that undo, also change the setting. An undo without effect is recorded as the
  // change itself.
  const { rows } = await sql<LatestChange>`
    with recursive link as (
      select wanted.key, change.at, change.author, nullif(change.undone_by, change.uid) as undone_by
      from jsonb_to_recordset(${JSON.stringify(sourceActions)}::jsonb) as wanted (key text, action text, subject text)
      join core.change on change.action = wanted.action and change.subject = coalesce(wanted.subject, change.subject)
      union all
      select link.key, undoing.at, undoing.author, nullif(undoing.undone_by, undoing.uid)
      from link join core.change as undoing on undoing.uid = link.undone_by
    )
    select distinct on (link.key) link.key, link.at, coalesce(person.name, link.author) as name
    from link left join core.user_account as person on person.uid = link.author
    order by link.key, link.at desc`.execute(tables);
  return new Map(rows.map((row) => [row.key, row]));
}
