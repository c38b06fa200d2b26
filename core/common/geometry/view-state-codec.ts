import { clampFov, clampTilt, normalizePan } from './angles.ts';
import type { Point3, ViewState } from './view-state.ts';

/** Two decimals: at most 0.005 degrees are lost. */
const angle = (value: number): string => (Math.round(value * 100) / 100 + 0).toString();
/** Millimetres. */
const point = (value: Point3): string =>
  value.map((metres) => (Math.round(metres * 1000) / 1000 + 0).toString()).join(',');

const layerPrefix = 'l.';

/**
 * The view as the query of an address, without the question mark: `v`, `module`, `beside`, `node`, `pos`, `pan`,
 * `tilt`, `fov`, `target`, `floor`, `sel` and `l.<name>` for each layer. Angles come back within 0.005 degrees, points
 * within half a millimetre.
 */
export function encodeViewState(view: ViewState): string {
  const query = new Map<string, string>([
    ['v', '1'],
    ['module', view.module],
  ]);
  if (view.beside !== undefined) query.set('beside', view.beside);
  if (view.node !== undefined) query.set('node', view.node);
  query.set('pan', angle(normalizePan(Math.round(normalizePan(view.pan) * 100) / 100)));
  query.set('tilt', angle(clampTilt(view.tilt)));
  query.set('fov', angle(clampFov(view.fov)));
  query.set('pos', point(view.pos));
  if (view.target !== undefined) query.set('target', point(view.target));
  if (view.floor !== undefined) query.set('floor', view.floor);
  if (view.sel !== undefined) query.set('sel', view.sel);
  for (const [name, value] of Object.entries(view.layers ?? {})) query.set(layerPrefix + name, value);
  return [...query]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll('%2C', ',')}`)
    .join('&');
}

/**
 * Reads the query of an address; undefined where it holds no view of this version or a part cannot be read. Angles are
 * brought into their ranges.
 */
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
  const beside = read.get('beside');
  const node = read.get('node');
  const floor = read.get('floor');
  const sel = read.get('sel');
  const target = parsePoint(read.get('target'));
  const layers = Object.fromEntries(
    [...read]
      .filter(([name]) => name.startsWith(layerPrefix))
      .map(([name, value]) => [name.slice(layerPrefix.length), value]),
  );
  return {
    v: 1,
    module,
    ...(beside === undefined ? {} : { beside }),
    ...(node === undefined ? {} : { node }),
    pos,
    pan: normalizePan(pan),
    tilt: clampTilt(tilt),
    fov: clampFov(fov),
    ...(target === undefined ? {} : { target }),
    ...(floor === undefined ? {} : { floor }),
    ...(sel === undefined ? {} : { sel }),
    ...(Object.keys(layers).length === 0 ? {} : { layers }),
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
