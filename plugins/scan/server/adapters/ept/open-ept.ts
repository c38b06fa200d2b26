import path from 'node:path';
import { openBytes, type ByteSource } from '../byte-source.ts';
import type { StatedSystem } from '../coordinates/stated-system.ts';
import { readWktSystem } from '../coordinates/wkt-system.ts';
import { openLas } from '../las/open-las.ts';
import type { PointBatch, PointSource } from '../point-source.ts';
import { ScanUnreadable } from '../scan-unreadable.ts';
import { openZip, type ZipArchive } from './zip-file.ts';

export interface EptFile extends PointSource {
  readonly format: 'EPT';
}

const descriptionName = 'ept.json';
/** Maximum bytes of one JSON file. Parsed JSON needs several times as much memory. */
const maxJsonBytes = 32 << 20;
/** A node is named by its depth, x, y and z. */
const nodeNamePattern = /^\d+-\d+-\d+-\d+$/;

/** Whether a file is one node of an EPT tree, by its name such as `3-1-0-2.laz` or by the software that wrote it. */
export const isEptNode = (name: string, { software }: { readonly software: string }): boolean =>
  nodeNamePattern.test(name.replace(/\.(laz|las)$/i, '')) || software.startsWith('Entwine');

/**
 * Opens an Entwine Point Tiles folder (entwine.io, EPT 1.0) with LAZ nodes in a ZIP file. Every node of its hierarchy
 * must exist. Throws `ScanUnreadable`.
 */
export async function openEpt(source: ByteSource): Promise<EptFile> {
  const zip = await openZip(source);
  const descriptionPath = zip.names.find((name) => path.posix.basename(name) === descriptionName);
  if (descriptionPath === undefined) throw new ScanUnreadable('scan.refused.zipWithoutEpt');
  const folder = path.posix.dirname(descriptionPath);
  const readEntry: ReadEntry = (name, maxBytes) => zip.read(path.posix.join(folder, name), maxBytes);
  const ept = parseRecord(await readEntry(descriptionName, maxJsonBytes));
  const type = String(ept?.['dataType'] ?? '');
  if (ept === undefined || type === '') throw new ScanUnreadable('scan.refused.eptDescription');
  if (type !== 'laszip') throw new ScanUnreadable('scan.refused.eptDataType', { type: type.slice(0, 40) });
  const nodes = await readNodes(readEntry, zip.names.length);
  assertComplete(zip, folder, nodes);
  const count = [...nodes.values()].reduce((sum, points) => sum + points, 0);
  const declaredCount = Number(ept['points']);
  return {
    format: 'EPT',
    count,
    declared: Number.isSafeInteger(declaredCount) && declaredCount > 0 ? declaredCount : count,
    system: toSystem(ept['srs']),
    bounds: parseBounds(ept['boundsConforming'] ?? ept['bounds']),
    readPoints: () => readPoints(readEntry, nodes),
  };
}

type ReadEntry = (name: string, maxBytes?: number) => Promise<Buffer | undefined>;

/**
 * Reads the point counts by node name. The count -1 marks a further page of the hierarchy. Stops reading once there are
 * more nodes than files.
 */
async function readNodes(readEntry: ReadEntry, fileCount: number): Promise<ReadonlyMap<string, number>> {
  const nodes = new Map<string, number>();
  const pages = ['0-0-0-0'];
  const visitedPages = new Set<string>();
  for (let page = pages.pop(); page !== undefined; page = pages.pop()) {
    if (visitedPages.has(page)) continue;
    visitedPages.add(page);
    const entries = parseRecord(await readEntry(`ept-hierarchy/${page}.json`, maxJsonBytes));
    if (entries === undefined) throw new ScanUnreadable('scan.refused.eptHierarchy', { page });
    for (const [name, points] of Object.entries(entries)) {
      if (!nodeNamePattern.test(name) || typeof points !== 'number') continue;
      if (points === -1) pages.push(name);
      else if (points > 0) nodes.set(name, points);
    }
    if (nodes.size > fileCount) break;
  }
  return nodes;
}

function assertComplete(zip: ZipArchive, folder: string, nodes: ReadonlyMap<string, number>): void {
  const names = new Set(zip.names);
  const missingNodes = [...nodes.keys()].filter((name) => !names.has(path.posix.join(folder, toDataName(name))));
  if (missingNodes.length > 0)
    throw new ScanUnreadable('scan.refused.eptNodesMissing', {
      missing: missingNodes.length,
      count: nodes.size,
      example: toDataName(missingNodes[0]!),
    });
}

const toDataName = (node: string): string => `ept-data/${node}.laz`;

async function* readPoints(readEntry: ReadEntry, nodes: ReadonlyMap<string, number>): AsyncGenerator<PointBatch> {
  for (const [name, points] of nodes) {
    const bytes = await readEntry(toDataName(name));
    const file = await openLas(openBytes(bytes ?? Buffer.alloc(0)));
    if (file.count !== points)
      throw new ScanUnreadable('scan.refused.eptNodePoints', {
        node: toDataName(name),
        held: file.count,
        count: points,
      });
    yield* file.readPoints();
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseRecord(bytes: Buffer | undefined): Readonly<Record<string, unknown>> | undefined {
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function toSystem(srs: unknown): StatedSystem | undefined {
  if (!isRecord(srs)) return undefined;
  const wkt = typeof srs['wkt'] === 'string' ? readWktSystem(srs['wkt']) : undefined;
  if (wkt) return wkt;
  const parseCode = (component: string): number | undefined => Number(srs[component]) || undefined;
  if (String(srs['authority'] ?? '').toUpperCase() !== 'EPSG' || parseCode('horizontal') === undefined)
    return undefined;
  return {
    kind: 'PROJECTED',
    unit: undefined,
    verticalUnit: undefined,
    name: undefined,
    epsg: parseCode('horizontal'),
    verticalName: undefined,
    verticalEpsg: parseCode('vertical'),
    wkt: undefined,
  };
}

function parseBounds(box: unknown): PointSource['bounds'] {
  if (!Array.isArray(box) || box.length !== 6 || !box.every((value) => typeof value === 'number')) return undefined;
  const [a, b, c, d, e, f] = box as [number, number, number, number, number, number];
  return { minimum: [a, b, c], maximum: [d, e, f] };
}
