import { PointSizeType, Potree, PotreeRenderer } from 'potree-core';
import { Color, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';

/** potree-core with eye-dome lighting, adaptive point sizes, and the point budget and camera of our layer. */
const { file, view, budget, background } = window.scene;
const host = document.querySelector('#host');
const renderer = new WebGLRenderer({ antialias: false });
renderer.setSize(host.clientWidth, host.clientHeight);
renderer.setClearColor(new Color().setRGB(...background, 'srgb'));
host.append(renderer.domElement);
const scene = new Scene();
const camera = new PerspectiveCamera(view.fov, host.clientWidth / host.clientHeight, 0.05, 500);
const potree = new Potree();
potree.pointBudget = budget;
const potreeRenderer = new PotreeRenderer({ edl: { enabled: true } });
const base = new URL(`${file}/`, location.href).href;
const cloud = await potree.loadPointCloud('metadata.json', base);
cloud.material.pointSizeType = PointSizeType.ADAPTIVE;
// The peer's conversion between colour spaces exchanges its two formulas, so that nearly all colours become white.
cloud.material.inputColorEncoding = cloud.material.outputColorEncoding;
cloud.minNodePixelSize = 10;
scene.add(cloud);

function look({ position, pan, tilt, fov }) {
  const [p, t] = [(pan * Math.PI) / 180, (tilt * Math.PI) / 180];
  camera.up.set(0, 0, 1);
  camera.fov = fov;
  camera.updateProjectionMatrix();
  camera.position.set(...position);
  camera.lookAt(
    new Vector3(
      position[0] + Math.sin(p) * Math.cos(t),
      position[1] + Math.cos(p) * Math.cos(t),
      position[2] + Math.sin(t),
    ),
  );
  camera.updateMatrixWorld(true);
}
look(view);

let updateResult;
function draw() {
  updateResult = potree.updatePointClouds([cloud], camera, renderer);
  potreeRenderer.render({ renderer, scene, camera, pointClouds: [cloud] });
  requestAnimationFrame(draw);
}
draw();

window.cloudBench = {
  look,
  busy: () => updateResult.nodeLoadPromises.length > 0 || cloud.pcoGeometry.numNodesLoading > 0,
  points: () => updateResult.numVisiblePoints,
  pick: async () => undefined,
};
