// Matrices of 3D Tiles. They have sixteen numbers and are column-major as in glTF.
import { WGS84_ELLIPSOID } from '3d-tiles-renderer/three';
import { Matrix4, Vector3 } from 'three';

export const identity = new Matrix4().toArray();
/** The content of a tile is y up, and a tileset is z up. */
export const yUpToZUp = new Matrix4()
  .makeRotationX(Math.PI / 2)
  .toArray()
  .map(Math.round);
export const zUpToYUp = new Matrix4()
  .makeRotationX(-Math.PI / 2)
  .toArray()
  .map(Math.round);

const toMatrix = (values) => new Matrix4().fromArray(values);

/** The product applies `b` first. */
export const multiply = (a, b) => toMatrix(a).multiply(toMatrix(b)).toArray();
export const translation = ([x, y, z]) => new Matrix4().makeTranslation(x, y, z).toArray();
export const computeLargestScale = (matrix) => toMatrix(matrix).getMaxScaleOnAxis();

/** Range of ellipsoidal heights (WGS 84) at which a plant can be, metres. */
const plausibleHeights = { min: -2_000, max: 9_000 };
/** Points at least this far from the origin are treated as geocentric positions, metres. */
const minGlobeRadius = 6_000_000;

/** Converts a geocentric point to latitude and longitude (radians) and ellipsoidal height (metres). */
const toGeographic = (point) => WGS84_ELLIPSOID.getPositionToCartographic(point, {});

/** East, north and up at a geocentric point near the ellipsoid. */
export function computeEastNorthUp(point) {
  const { lat, lon } = toGeographic(new Vector3(...point));
  const [east, north, up] = [new Vector3(), new Vector3(), new Vector3()];
  WGS84_ELLIPSOID.getEastNorthUpAxes(lat, lon, east, north, up);
  return { east: east.toArray(), north: north.toArray(), up: up.toArray() };
}

function computeMiddle({ boundingVolume = {}, transform = identity, children = [] }) {
  const { region, box, sphere } = boundingVolume;
  if (region)
    return WGS84_ELLIPSOID.getCartographicToPosition(
      (region[1] + region[3]) / 2,
      (region[0] + region[2]) / 2,
      region[4],
      new Vector3(),
    );
  const volume = box ?? sphere;
  const localMiddle = volume ? new Vector3(...volume) : children[0] && computeMiddle(children[0]);
  return localMiddle?.applyMatrix4(toMatrix(transform)) ?? new Vector3();
}

/**
 * Computes the matrix from a tileset's frame to the model's frame. A georeferenced tileset becomes level, with x east,
 * y north and its centre at the origin. Other tilesets are unchanged.
 */
export function computeLevelFrame(root) {
  const middle = computeMiddle(root);
  if (middle.length() < minGlobeRadius) return identity;
  const { lat, lon, height } = toGeographic(middle);
  if (!(height > plausibleHeights.min && height < plausibleHeights.max)) return identity;
  return WGS84_ELLIPSOID.getEastNorthUpFrame(lat, lon, height, new Matrix4()).invert().toArray();
}
