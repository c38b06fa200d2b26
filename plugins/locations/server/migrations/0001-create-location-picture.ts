import type { Migration } from '#core/server';

export const createLocationPicture: Migration = {
  id: 'locations-0001-create-location-picture',
  up: `
    create table location_picture (
      location text primary key,
      icon text,
      navigation_image text,
      areas jsonb not null default '[]'
    )`,
};
