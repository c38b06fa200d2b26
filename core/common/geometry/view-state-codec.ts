import { clampFov, clampTilt, normalizePan } from './angles.ts';
import type { Point3, ViewState } from './view-state.ts';

/** Two decimals: an error of at most 0.005 degrees. */
const angle = (value: number): string => (Math.round(value * 100) / 100 + 0).toString();
/** Millimetres. */
const point = (value: Point3): string =>
  value.map((metres) => (Math.round(metres * 1000) / 1000 + 0).toString()).join(',');

const layerPrefix = 'l.';

/**
 * Encodes a view as a query without the question mark: `v`, `module`, `beside`, `node`, `pos`, `pan`, `tilt`, `fov`,
 * `target`, `floor`, `sel` and `l.<name>` per layer. Round-trips within 0.005 degrees and half a millimetre.
 */
export function encodeViewState(view: ViewState): string {
  const query: readonly (readonly [string, string | undefined])[] = [
    ['v', '1'],
    ['module', view.module],
    ['beside', view.beside],
    ['node', view.node],
    ['pan', angle(normalizePan(Math.round(normalizePan(view.pan) * 100) / 100))],
    ['tilt', angle(clampTilt(view.tilt))],
    ['fov', angle(clampFov(view.fov))],
    ['pos', point(view.pos)],
    ['target', view.target && point(view.target)],
    ['floor', view.floor],
    ['sel', view.sel],
    ...Object.entries(view.layers ?? {}).map(([name, value]) => [layerPrefix + name, value] as const),
  ];
  return query
    .flatMap(([name, value]) =>
      value === undefined ? [] : `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll('%2C', ',')}`,
    )
    .join('&');
}

/** Decodes a query; undefined for another version or an invalid part. Normalises angles. */
export function decodeViewState(query: string): ViewState | undefined {
  const read = parseQuery(query);
  const module = read.get('module');
  const pan = parseNumber(read.get('pan'));
  const tilt = parseNumber(read.get('tilt'));
  const fov = parseNumber(read.get('fov'));
  const pos = parsePoint(read.get('pos'));
  if (
    read.get('v') !== '1' ||
    !module ||
    pan === undefined ||
    tilt === undefined ||
    fov === undefined ||
    pos === undefined
  )
    return undefined;
  const layers = Object.fromEntries(
    [...read]
      .filter(([name]) => name.startsWith(layerPrefix))
      .map(([name, value]) => [name.slice(layerPrefix.length), value]),
  );
  return {
    v: 1,
    module,
    pos,
    pan: normalizePan(pan),
    tilt: clampTilt(tilt),
    fov: clampFov(fov),
    ...present({
      beside: read.get('beside'),
      node: read.get('node'),
      target: parsePoint(read.get('target')),
      floor: read.get('floor'),
      sel: read.get('sel'),
      layers: Object.keys(layers).length === 0 ? undefined : layers,
    }),
  };
}

/** Omits properties without a value. */
function present<T extends object>(values: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T> as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function parseQuery(query: string): Map<string, string> {
  const pairs = query
    .replace(/^\?/, '')
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      return [decodePart(name), decodePart(value)] as const;
    });
  return new Map(pairs);
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function parseNumber(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function parsePoint(text: string | undefined): Point3 | undefined {
  const [x, y, z, ...rest] = (text ?? '').split(',').map(parseNumber);
  return x === undefined || y === undefined || z === undefined || rest.length > 0 ? undefined : [x, y, z];
}
