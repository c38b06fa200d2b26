// Matrices of 3D Tiles: sixteen numbers, column-major as in glTF.
import { WGS84_ELLIPSOID } from '3d-tiles-renderer/three';
import { Matrix4, Vector3 } from 'three';

export const identity = new Matrix4().toArray();
/** The content of a tile is y up, a tileset z up. */
export const yUpToZUp = new Matrix4()
  .makeRotationX(Math.PI / 2)
  .toArray()
  .map(Math.round);
export const zUpToYUp = new Matrix4()
  .makeRotationX(-Math.PI / 2)
  .toArray()
  .map(Math.round);

const toMatrix = (values) => new Matrix4().fromArray(values);

/** Applies `b`, then `a`. */
export const multiply = (a, b) => toMatrix(a).multiply(toMatrix(b)).toArray();
export const translation = ([x, y, z]) => new Matrix4().makeTranslation(x, y, z).toArray();
export const largestScale = (matrix) => toMatrix(matrix).getMaxScaleOnAxis();

/** Metres above and below the ellipsoid (WGS 84) between which a plant can be. */
const heights = { least: -2_000, most: 9_000 };

/** Latitude and longitude (radians) and ellipsoidal height of a geocentric point. */
const onGlobe = (point) => WGS84_ELLIPSOID.getPositionToCartographic(point, {});

/** East, north and up at a geocentric point near the ellipsoid. */
export function eastNorthUp(point) {
  const { lat, lon } = onGlobe(new Vector3(...point));
  const [east, north, up] = [new Vector3(), new Vector3(), new Vector3()];
  WGS84_ELLIPSOID.getEastNorthUpAxes(lat, lon, east, north, up);
  return { east: east.toArray(), north: north.toArray(), up: up.toArray() };
}

function findMiddle({ boundingVolume = {}, transform = identity, children = [] }) {
  const { region, box, sphere } = boundingVolume;
  if (region)
    return WGS84_ELLIPSOID.getCartographicToPosition(
      (region[1] + region[3]) / 2,
      (region[0] + region[2]) / 2,
      region[4],
      new Vector3(),
    );
  const inside = box || sphere ? new Vector3(...(box ?? sphere)) : children[0] ? findMiddle(children[0]) : undefined;
  return inside?.applyMatrix4(toMatrix(transform)) ?? new Vector3();
}

/**
 * From a set's frame to the model's: a georeferenced set is made level with x east, y north and its middle at zero.
 * Another set is unchanged.
 */
export function levelFrame(root) {
  const middle = findMiddle(root);
  if (middle.length() < 6_000_000) return identity;
  const { lat, lon, height } = onGlobe(middle);
  if (!(height > heights.least && height < heights.most)) return identity;
  return WGS84_ELLIPSOID.getEastNorthUpFrame(lat, lon, height, new Matrix4()).invert().toArray();
}
