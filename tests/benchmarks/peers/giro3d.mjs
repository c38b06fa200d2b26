import CoordinateSystem from '@giro3d/giro3d/core/geographic/CoordinateSystem.js';
import Instance from '@giro3d/giro3d/core/Instance.js';
import PointCloud from '@giro3d/giro3d/entities/PointCloud.js';
import { setLazPerfPath } from '@giro3d/giro3d/sources/las/config.js';
import COPCSource from '@giro3d/giro3d/sources/COPCSource.js';
import { Vector2, Vector3 } from 'three';

/**
 * giro3d as its documentation loads a COPC file, with the decoder, point budget and camera of our layer. The level of
 * detail is set, because the default would show only a third of the points of our layer.
 */
const { file, view, budget, attribute } = window.scene;
setLazPerfPath('');
const instance = new Instance({
  target: document.querySelector('#host'),
  crs: CoordinateSystem.unknown,
  backgroundColor: 'black',
});
const cloud = new PointCloud({ source: new COPCSource({ url: new URL(file, location.href).href }) });
cloud.pointBudget = budget;
cloud.pointSize = 2;

function look({ position, pan, tilt, fov }) {
  const { camera } = instance.view;
  const [p, t] = [(pan * Math.PI) / 180, (tilt * Math.PI) / 180];
  camera.up.set(0, 0, 1);
  camera.fov = fov;
  camera.near = 0.05;
  camera.far = 500;
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
  instance.notifyChange(camera);
}

await instance.add(cloud);
cloud.subdivisionThreshold = 0.25;
cloud.setColoringMode('attribute');
cloud.setActiveAttribute(attribute);
look(view);

window.cloudBench = {
  look,
  busy: () => instance.loading || cloud.loading,
  points: () => cloud.displayedPointCount,
  pick: async (x, y) => {
    const [found] = instance.pickObjectsAt(new Vector2(x, y), { radius: 3, limit: 1 });
    return found && [found.point.x, found.point.y, found.point.z];
  },
};
