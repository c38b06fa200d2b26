// Matrices of 3D Tiles: four columns of four, as glTF writes them.

export const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
/** Content of a tile is y up, a set of tiles z up. */
export const yUpToZUp = [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1];
export const zUpToYUp = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1];

/** First `b`, then `a`. */
export function multiply(a, b) {
  const out = [];
  for (let column = 0; column < 4; column++) for (let row = 0; row < 4; row++) out.push([0, 1, 2, 3].reduce((sum, at) => sum + a[at * 4 + row] * b[column * 4 + at], 0));
  return out;
}

export const translation = ([x, y, z]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
export const largestScale = (m) => Math.max(...[0, 4, 8].map((at) => Math.hypot(m[at], m[at + 1], m[at + 2])));
const applied = (m, [x, y, z]) => [0, 1, 2].map((row) => m[row] * x + m[row + 4] * y + m[row + 8] * z + m[row + 12]);

/** WGS 84, metres. */
const equator = 6_378_137;
const pole = 6_356_752.314245;
/** Metres above and below the ellipsoid between which a plant stands. */
const heights = { least: -2_000, most: 9_000 };

/** Where longitude, latitude (radians) and height lie, from the earth's middle. */
function fromEarth(longitude, latitude, height) {
  const eccentricity = 1 - (pole / equator) ** 2;
  const normal = equator / Math.sqrt(1 - eccentricity * Math.sin(latitude) ** 2);
  return [(normal + height) * Math.cos(latitude) * Math.cos(longitude), (normal + height) * Math.cos(latitude) * Math.sin(longitude), (normal * (1 - eccentricity) + height) * Math.sin(latitude)];
}

/** East, north and up at a point near the ellipsoid, from the earth's middle. */
export function eastNorthUp([x, y, z]) {
  const longitude = Math.atan2(y, x);
  const normal = [x / equator ** 2, y / equator ** 2, z / pole ** 2];
  const length = Math.hypot(...normal);
  const up = normal.map((value) => value / length);
  const east = [-Math.sin(longitude), Math.cos(longitude), 0];
  const north = [up[1] * east[2] - up[2] * east[1], up[2] * east[0] - up[0] * east[2], up[0] * east[1] - up[1] * east[0]];
  return { east, north, up };
}

function middleOf({ boundingVolume = {}, transform = identity, children = [] }) {
  const { region, box, sphere } = boundingVolume;
  if (region) return fromEarth((region[0] + region[2]) / 2, (region[1] + region[3]) / 2, region[4]);
  if (box) return applied(transform, box);
  if (sphere) return applied(transform, sphere);
  return children[0] ? applied(transform, middleOf(children[0])) : [0, 0, 0];
}

/** From a set's frame to the model's: one that stands on the globe is laid level, x east, y north, its middle at zero; another stays as it is. */
export function levelFrame(root) {
  const middle = middleOf(root);
  const length = Math.hypot(...middle);
  const surface = length === 0 ? 0 : 1 / Math.sqrt((middle[0] ** 2 + middle[1] ** 2) / equator ** 2 + middle[2] ** 2 / pole ** 2) * length;
  const height = length - surface;
  if (!(length > 6_000_000 && height > heights.least && height < heights.most)) return identity;
  const { east, north, up } = eastNorthUp(middle);
  const turn = [east[0], north[0], up[0], 0, east[1], north[1], up[1], 0, east[2], north[2], up[2], 0, 0, 0, 0, 1];
  return multiply(turn, translation(middle.map((value) => -value)));
}
