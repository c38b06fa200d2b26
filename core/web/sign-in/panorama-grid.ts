export interface PanoramaView {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Degrees; pan clockwise, tilt upwards, horizontal field of view. */
  readonly pan: number;
  readonly tilt: number;
  readonly fov: number;
}

export interface PanoramaGrid {
  /** SVG path data: meridians and parallels every 15 degrees, without the horizon. */
  readonly lines: string;
  readonly horizon: string;
  /** A path over the floor, and its points with their size in pixels. */
  readonly walk: string;
  readonly points: readonly { readonly x: number; readonly y: number; readonly size: number }[];
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Draws the grid of a panorama's sphere from inside, in rectilinear projection. Clips everything behind the camera. */
export function panoramaGrid({ width, height, pan, tilt, fov }: PanoramaView): PanoramaGrid {
  const focal = width / 2 / Math.tan(radians(fov) / 2);
  const project = (east: number, north: number, up: number): Point | undefined => {
    const [sinPan, cosPan, sinTilt, cosTilt] = [
      Math.sin(radians(pan)),
      Math.cos(radians(pan)),
      Math.sin(radians(tilt)),
      Math.cos(radians(tilt)),
    ];
    const right = east * cosPan - north * sinPan;
    const ahead = east * sinPan + north * cosPan;
    const depth = ahead * cosTilt + up * sinTilt;
    if (depth < 0.08) return undefined;
    return {
      x: width / 2 + (focal * right) / depth,
      y: height / 2 - (focal * (up * cosTilt - ahead * sinTilt)) / depth,
      depth,
    };
  };
  const onSphere = (longitude: number, latitude: number) =>
    project(
      Math.sin(radians(longitude)) * Math.cos(radians(latitude)),
      Math.cos(radians(longitude)) * Math.cos(radians(latitude)),
      Math.sin(radians(latitude)),
    );
  const path = (points: readonly (Point | undefined)[]) => {
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
  const range = (from: number, to: number, step: number) =>
    Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
  const meridians = range(-180, 165, 15).map((longitude) =>
    path(range(-85, 85, 5).map((latitude) => onSphere(longitude, latitude))),
  );
  const parallels = range(-75, 75, 15)
    .filter((latitude) => latitude !== 0)
    .map((latitude) => path(range(-180, 180, 5).map((longitude) => onSphere(longitude, latitude))));

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
    horizon: path(range(-180, 180, 5).map((longitude) => onSphere(longitude, 0))),
    walk: path(nodes.map(([east, north]) => project(east, north, -1.6))),
    points,
  };
}
