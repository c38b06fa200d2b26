import type { Migration } from '#core/server';

export const placeDeliveries: Migration = {
  id: 'scan-0003-place-deliveries',
  up: `
    alter table cloud add column place jsonb not null default '{"position":[0,0,0],"heading":0}';
    alter table cloud add column job text;
    alter table cloud add column message text;
    alter table cloud add column stations jsonb not null default '[]';
    alter table station add column delivery text;
    create index station_delivery on station (delivery);
  `,
};
