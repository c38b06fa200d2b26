import { sql, type Kysely } from 'kysely';
import { token } from '#core';
import type { StoredSettings } from '#core/api';

/** Settings that admins change on a screen of a plugin, for the overview of all settings. */
export interface SettingSource {
  /** Such as `media.contactDetail`. */
  readonly key: string;
  /** Actions of the journal of changes that change it. */
  readonly actions: readonly string[];
  /** The subject of those changes, if others have the same actions. */
  readonly subject?: string;
  /** The number of rows. 0 if the default is in force. */
  readonly count: () => Promise<number>;
}

export const SettingSources = token<SettingSources>('core.SettingSources');
export interface SettingSources {
  /** Call it while the plugin is mounted. */
  register(...sources: readonly SettingSource[]): void;
  list(): Promise<StoredSettings[]>;
}

/** `tables` is the schema `core`. The number of queries depends on the sources alone. */
export function createSettingSources(tables: Kysely<unknown>): SettingSources {
  const all: SettingSource[] = [];
  return {
    register: (...sources) => void all.push(...sources),
    list: async () => {
      const counts = await Promise.all(all.map(({ count }) => count()));
      const latest = await findLatestChanges(tables, all);
      return all.map(({ key }, index) => {
        const change = latest.get(key);
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
  // The undo of a change, and that of an undo, is a change of the same setting. One without effect undoes itself.
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
