import type { Migration } from '#core/server';

export const createBackground: Migration = {
  id: 'media-0001-create-background',
  up: `
    create table background (
      subject text primary key,
      location text,
      images jsonb not null default '[]',
      version integer not null default 1,
      check ((subject = 'LOGIN') = (location is null))
    )`,
};
