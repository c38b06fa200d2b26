import type { Migration } from '#core/server';

/** Stores the pitch and roll of surveyed poses, by which panoramas are levelled on upload. */
export const keepPosedTilt: Migration = {
  id: 'tour-0013-keep-posed-tilt',
  up: `
    alter table node add column posed_tilt jsonb check (jsonb_typeof(posed_tilt) = 'object');
  `,
};
