// Worker thread that casts the rays of range images at triangles.
import { parentPort } from 'node:worker_threads';
import { Box3, BufferAttribute, BufferGeometry, DoubleSide, Ray, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';

const maxMetres = 65.535;
/** Nearer hits are ignored, because the plant has no surface so close to a viewpoint. */
const minMetres = 0.05;
const radiansPerDegree = Math.PI / 180;

let views = [];

const handlers = {
  open: ({ views: openedViews }) => {
    views = openedViews.map((view) => ({ ...view, ranges: new Uint16Array((view.width * view.width) / 2) }));
  },
  cast: ({ triangles }) => {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(triangles, 3));
    const tree = new MeshBVH(geometry, { indirect: true });
    const bounds = tree.getBoundingBox(new Box3());
    for (const view of views)
      if (bounds.distanceToPoint(new Vector3(...view.position)) <= maxMetres) castView(tree, view);
  },
  read: ({ view }) => views[view].ranges,
};

/** Stores the distance of the nearest surface per pixel, in millimetres. 0 means none. Projects like a panorama. */
function castView(tree, { position, heading, width, ranges }) {
  const ray = new Ray(new Vector3(...position), new Vector3());
  const height = width / 2;
  for (let row = 0; row < height; row++) {
    const elevation = Math.PI * (0.5 - (row + 0.5) / height);
    const [up, horizontal] = [Math.sin(elevation), Math.cos(elevation)];
    for (let column = 0; column < width; column++) {
      const azimuth = (heading + ((column + 0.5) / width - 0.5) * 360) * radiansPerDegree;
      ray.direction.set(horizontal * Math.sin(azimuth), horizontal * Math.cos(azimuth), up);
      const pixel = row * width + column;
      const farMetres = ranges[pixel] === 0 ? maxMetres : ranges[pixel] / 1000;
      const hit = tree.raycastFirst(ray, DoubleSide, minMetres, farMetres);
      if (hit) ranges[pixel] = Math.round(hit.distance * 1000);
    }
  }
}

parentPort.on('message', ({ step, ...input }) => {
  parentPort.postMessage(handlers[step](input));
});
