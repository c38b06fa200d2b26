import { readGeoKeys } from '../coordinates/geo-keys.ts';
import type { StatedSystem } from '../coordinates/stated-system.ts';
import { readWktSystem } from '../coordinates/wkt-system.ts';
import type { LasRecord } from './las-records.ts';

const projection = 'LASF_Projection';
const wktId = 2112;
const keysId = 34_735;
const doublesId = 34_736;
const textsId = 34_737;

/**
 * Parses the coordinate system of a LAS file from WKT or GeoTIFF keys (LAS 1.4 R15, clause 3); undefined if it has
 * none. `prefersWkt` is bit 4 of the global encoding, which selects one of the two.
 */
export function readLasSystem(records: readonly LasRecord[], prefersWkt: boolean): StatedSystem | undefined {
  const wkt = findWktSystem(records, projection);
  const keys = findGeoKeySystem(records);
  return prefersWkt ? (wkt ?? keys) : (keys ?? wkt ?? findWktSystem(records, 'liblas'));
}

function findWktSystem(records: readonly LasRecord[], owner: string): StatedSystem | undefined {
  const record = records.find(({ user, id }) => user === owner && id === wktId);
  return record && readWktSystem(record.content.toString('utf8'));
}

function findGeoKeySystem(records: readonly LasRecord[]): StatedSystem | undefined {
  const findContent = (recordId: number): Buffer | undefined =>
    records.find(({ user, id }) => user === projection && id === recordId)?.content;
  const directory = findContent(keysId);
  return directory && readGeoKeys({ directory, doubles: findContent(doublesId), texts: findContent(textsId) });
}
