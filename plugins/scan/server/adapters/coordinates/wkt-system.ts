import { degree, metre, type StatedSystem, type StatedUnit } from './stated-system.ts';
import { parseWkt, type WktNode } from './wkt-tree.ts';

const kindByKeyword: Readonly<Record<string, StatedSystem['kind']>> = {
  PROJCS: 'PROJECTED',
  PROJCRS: 'PROJECTED',
  PROJECTEDCRS: 'PROJECTED',
  GEOGCS: 'GEOGRAPHIC',
  GEOGCRS: 'GEOGRAPHIC',
  GEOGRAPHICCRS: 'GEOGRAPHIC',
  GEODCRS: 'GEOGRAPHIC',
  GEODETICCRS: 'GEOGRAPHIC',
  GEOCCS: 'GEOCENTRIC',
  LOCAL_CS: 'LOCAL',
  ENGCRS: 'LOCAL',
  ENGINEERINGCRS: 'LOCAL',
};
const compoundKeywords = new Set(['COMPD_CS', 'COMPOUNDCRS']);
const verticalKeywords = new Set(['VERT_CS', 'VERTCRS', 'VERTICALCRS']);
const unitKeywords = new Set(['UNIT', 'LENGTHUNIT', 'ANGLEUNIT']);

/** Parses the coordinate system of a WKT text; undefined if it is malformed or contains none. */
export function readWktSystem(source: string): StatedSystem | undefined {
  const root = parseWkt(source);
  return root && toSystem(root);
}

function toSystem(root: WktNode): StatedSystem | undefined {
  if (root.keyword === 'BOUNDCRS') {
    const sourceSystem = findChild(root, 'SOURCECRS')?.children[0];
    return sourceSystem && toSystem(sourceSystem);
  }
  const parts = compoundKeywords.has(root.keyword) ? root.children : [root];
  const horizontal = parts.find(({ keyword }) => kindByKeyword[keyword] !== undefined);
  if (horizontal === undefined) return undefined;
  const vertical = parts.find(({ keyword }) => verticalKeywords.has(keyword));
  const kind = findKind(horizontal);
  return {
    kind,
    unit: findUnit(horizontal, kind),
    verticalUnit: vertical ? findUnit(vertical, 'LOCAL') : findThirdAxisUnit(horizontal),
    name: findName(horizontal),
    epsg: findEpsg(horizontal),
    verticalName: vertical && findName(vertical),
    verticalEpsg: vertical && findEpsg(vertical),
    wkt: horizontal.text,
  };
}

const findChild = (node: WktNode, ...keywords: readonly string[]): WktNode | undefined =>
  node.children.find(({ keyword }) => keywords.includes(keyword));

function findKind(node: WktNode): StatedSystem['kind'] {
  const kind = kindByKeyword[node.keyword]!;
  const axes = String(findChild(node, 'CS')?.values[0] ?? '').toLowerCase();
  return kind === 'GEOGRAPHIC' && axes === 'cartesian' ? 'GEOCENTRIC' : kind;
}

function findName({ values: [name] }: WktNode): string | undefined {
  return typeof name === 'string' && !/^(unnamed|unknown)?$/i.test(name) ? name.slice(0, 120) : undefined;
}

function findEpsg(node: WktNode): number | undefined {
  const [authority, code] = findChild(node, 'AUTHORITY', 'ID')?.values ?? [];
  const epsgCode = Number(code);
  return String(authority).toUpperCase() === 'EPSG' && Number.isInteger(epsgCode) && epsgCode > 0
    ? epsgCode
    : undefined;
}

/** Finds the unit of the system or of its first axis (WKT 2 allows both). */
function findUnit(node: WktNode, kind: StatedSystem['kind']): StatedUnit | undefined {
  const axis = node.children.find(({ keyword, children }) => keyword === 'AXIS' && children.some(isUnit));
  const unit = node.children.find(isUnit) ?? axis?.children.find(isUnit);
  return unit && toStatedUnit(unit, kind);
}

/** Finds the unit of the third axis of a system with three axes. */
function findThirdAxisUnit(node: WktNode): StatedUnit | undefined {
  const up = node.children.find(
    ({ keyword, values }) => keyword === 'AXIS' && String(values[1] ?? '').toLowerCase() === 'up',
  );
  if (up === undefined) return undefined;
  const unit = up.children.find(isUnit) ?? node.children.find(({ keyword }) => keyword === 'LENGTHUNIT');
  return unit && toStatedUnit(unit, 'LOCAL');
}

const isUnit = ({ keyword }: WktNode): boolean => unitKeywords.has(keyword);

function toStatedUnit({ keyword, values: [, factor] }: WktNode, kind: StatedSystem['kind']): StatedUnit | undefined {
  if (typeof factor !== 'number' || !(factor > 0) || !Number.isFinite(factor)) return undefined;
  if (keyword === 'ANGLEUNIT' || (keyword === 'UNIT' && kind === 'GEOGRAPHIC'))
    return Math.abs(factor / (Math.PI / 180) - 1) < 1e-6 ? degree : { kind: 'angle', radians: factor };
  return factor === 1 ? metre : { kind: 'length', metres: factor };
}
