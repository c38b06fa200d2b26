import { sql, type Kysely } from 'kysely';
import { ConfigurationStore, type ServerContext, type SettingSource } from '#core/server';
import type { MediaTables } from './tables.ts';

/** Lists the configuration keys of this plugin for the overview of settings. */
export function listSettingSources({
  tables,
  service,
}: Pick<ServerContext<MediaTables>, 'tables' | 'service'>): readonly SettingSource[] {
  return [
    {
      key: 'media.welcomeText',
      actions: ['configuration.settingSaved'],
      subject: 'welcomeText',
      count: async () => Object.keys((await service(ConfigurationStore).read('welcomeText')) ?? {}).length,
    },
    {
      key: 'media.contactDetail',
      actions: ['media.contactSaved', 'media.contactDeleted', 'media.contactsImported'],
      count: () => countRows(tables, 'contact'),
    },
    {
      key: 'media.images',
      actions: ['media.loginBackgroundsSaved', 'media.locationBackgroundsSaved', 'media.tourBackgroundsSaved'],
      count: async () => {
        const { total } = await tables
          .selectFrom('background')
          .select(sql<number>`coalesce(sum(jsonb_array_length(images)), 0)::integer`.as('total'))
          .executeTakeFirstOrThrow();
        return total;
      },
    },
    {
      key: 'media.imagesAndVideo',
      actions: ['media.itemSaved', 'media.itemDeleted'],
      count: () => countRows(tables, 'item'),
    },
    {
      key: 'media.notices',
      actions: ['media.noticeSaved', 'media.noticeTakenBack'],
      count: () => countRows(tables, 'notice'),
    },
  ];
}

async function countRows(tables: Kysely<MediaTables>, table: 'contact' | 'item' | 'notice'): Promise<number> {
  const { total } = await tables
    .selectFrom(table)
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}
