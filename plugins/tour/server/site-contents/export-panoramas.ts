import { sql } from 'kysely';
import type { ServerContext, SiteExport } from '#core/server';
import { toRangePose } from '../queries/drop-ranges.ts';
import type { RangeSource, TourTables } from '../tables.ts';
import type { PanoramaRecord } from './panorama-record.ts';
import { panoramasFile } from './panorama-record.ts';
import { toJson } from './tour-content.ts';

interface Capture {
  readonly code: string;
  readonly captured_at: Date;
  readonly heading: number;
  readonly pitch: number;
  readonly roll: number;
  readonly panorama_file: string;
  readonly range_file: string | null;
  readonly range_source: RangeSource | null;
  /** True if the range image was computed for the current pose. */
  readonly fits: boolean;
}

/** Exports the current and earlier panoramas of all viewpoints, byte by byte. */
export async function exportPanoramas(
  { tables }: Pick<ServerContext<TourTables>, 'tables'>,
  siteExport: SiteExport,
): Promise<void> {
  const columns = (table: 'node' | 'capture') => sql`
    node.code, ${sql.id(table)}.captured_at, ${sql.id(table)}.heading, ${sql.id(table)}.pitch, ${sql.id(table)}.roll,
    ${sql.id(table)}.panorama_file, ${sql.id(table)}.range_file, ${sql.id(table)}.range_source,
    ${sql.id(table)}.range_source is null or ${sql.id(table)}.range_pose = ${toRangePose(table)} as fits`;
  const isExported = sql`node.site = ${siteExport.site} and node.location = any(${[...siteExport.locations]}::text[])`;
  const { rows } = await sql<Capture>`
    select ${columns('node')} from tour.node where node.panorama_file is not null and ${isExported}
    union all
    select ${columns('capture')} from tour.capture join tour.node on node.uid = capture.node where ${isExported}
    order by code, captured_at desc`.execute(tables);
  const records: PanoramaRecord[] = [];
  for (const row of rows) {
    const name = `${row.code}/${row.captured_at.toISOString().slice(0, 10)}`;
    const picture = await siteExport.addStored(name, row.panorama_file);
    if (picture === undefined) {
      siteExport.note(
        `A panorama of ${row.code} is missing in the file store.`,
        `Un panorama de ${row.code} manque dans le stockage de fichiers.`,
      );
      continue;
    }
    const ranges =
      row.range_file === null || !row.fits ? undefined : await siteExport.addStored(`${name}-ranges`, row.range_file);
    records.push({
      viewpoint: row.code,
      capturedAt: row.captured_at.toISOString(),
      heading: row.heading,
      pitch: row.pitch,
      roll: row.roll,
      picture,
      ranges: ranges === undefined ? null : { file: ranges, source: row.range_source },
    });
  }
  if (records.length === 0) return;
  await siteExport.add(panoramasFile, toJson(records));
  siteExport.count({ panoramas: records.length, 'range images': records.filter(({ ranges }) => ranges).length });
  siteExport.note(
    'Panoramas are exported as they were uploaded, with all metadata. Panoramas of scan stations were rendered from the scan.',
    'Les panoramas sont tels qu’ils ont été téléversés, avec toutes leurs métadonnées. Ceux des stations de scan ont été tirés du scan.',
  );
}
