import type { Migration } from '#core/server';

/** Renames the keys of the stored station reports: `refusal`, `picture` and `beyond`. */
export const renameStationReports: Migration = {
  id: 'scan-0002-rename-station-reports',
  up: `
    update cloud set stations = (
      select jsonb_agg(
        jsonb_build_object(
          'name', report -> 'name',
          'station', report -> 'station',
          'skipReason', report -> 'refusal',
          'pictureSource', report -> 'picture',
          'tooFarPixels', report -> 'beyond'
        )
        order by index
      )
      from jsonb_array_elements(stations) with ordinality as reports (report, index)
    )
    where jsonb_array_length(stations) > 0;
  `,
};
