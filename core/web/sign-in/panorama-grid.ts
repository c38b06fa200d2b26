export interface PanoramaView {
  /** Width and height in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Angles in degrees: pan clockwise, tilt upwards, and the horizontal field of view. */
  readonly pan: number;
  readonly tilt: number;
  readonly fov: number;
}

export interface PanoramaGrid {
  /** SVG path data: meridians and parallels every 15 degrees, without the horizon. */
  readonly lines: string;
  readonly horizon: string;
  /** SVG path data of a path over the floor. */
  readonly walk: string;
  /** The nodes of the path, with their size in pixels. */
  readonly points: readonly { readonly x: number; readonly y: number; readonly size: number }[];
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Draws the grid of a panorama's sphere from inside, in rectilinear projection. Omits points behind the camera. */
export function computePanoramaGrid({ width, height, pan, tilt, fov }: PanoramaView): PanoramaGrid {
  const focal = width / 2 / Math.tan(radians(fov) / 2);
  const project = (east: number, north: number, up: number): Point | undefined => {
    const [sinPan, cosPan, sinTilt, cosTilt] = [
      Math.sin(radians(pan)),
      Math.cos(radians(pan)),
      Math.sin(radians(tilt)),
      Math.cos(radians(tilt)),
    ];
    const right = east * cosPan - north * sinPan;
    const forward = east * sinPan + north * cosPan;
    const depth = forward * cosTilt + up * sinTilt;
    if (depth < 0.08) return undefined;
    return {
      x: width / 2 + (focal * right) / depth,
      y: height / 2 - (focal * (up * cosTilt - forward * sinTilt)) / depth,
      depth,
    };
  };
  const projectOnSphere = (longitude: number, latitude: number) =>
    project(
      Math.sin(radians(longitude)) * Math.cos(radians(latitude)),
      Math.cos(radians(longitude)) * Math.cos(radians(latitude)),
      Math.sin(radians(latitude)),
    );
  const toPathData = (points: readonly (Point | undefined)[]) => {
    let pen = 'M';
    return points
      .map((point) => {
        if (point === undefined) {
          pen = 'M';
          return '';
        }
        const step = `${pen}${Math.round(point.x)} ${Math.round(point.y)}`;
        pen = 'L';
        return step;
      })
      .join('');
  };
  const listRange = (from: number, to: number, step: number) =>
    Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
  const meridians = listRange(-180, 165, 15).map((longitude) =>
    toPathData(listRange(-85, 85, 5).map((latitude) => projectOnSphere(longitude, latitude))),
  );
  const parallels = listRange(-75, 75, 15)
    .filter((latitude) => latitude !== 0)
    .map((latitude) => toPathData(listRange(-180, 180, 5).map((longitude) => projectOnSphere(longitude, latitude))));

  // Nodes of a fictitious tour, in metres east and north of the camera, which is 1.6 m above the floor.
  const nodes: readonly (readonly [east: number, north: number])[] = [
    [-0.2, 2.1],
    [0.9, 3.3],
    [2.6, 4.2],
    [3.4, 6.6],
    [2.2, 9.5],
    [5.4, 12.5],
    [9, 15],
  ];
  const points = nodes.flatMap(([east, north]) => {
    const point = project(east, north, -1.6);
    return point === undefined
      ? []
      : [{ x: Math.round(point.x), y: Math.round(point.y), size: Math.round(Math.max(3, 26 / point.depth)) }];
  });
  return {
    lines: [...meridians, ...parallels].join(''),
    horizon: toPathData(listRange(-180, 180, 5).map((longitude) => projectOnSphere(longitude, 0))),
    walk: toPathData(nodes.map(([east, north]) => project(east, north, -1.6))),
    points,
  };
}
