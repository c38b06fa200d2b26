import { CloudSurface } from '../../../plugins/scan/web/viewer/cloud/cloud-surface.ts';
import { EasedCameraControllers } from '../../../plugins/tour/web/viewer/walk/eased-camera-controllers.ts';
import type { CloudBenchPage } from './cloud-page.ts';

const { file, view, budget, attribute, background } = window.scene;
let settled = false;
let isOpening = true;
const surface = new CloudSurface(new EasedCameraControllers(), {
  module: 'scan.module',
  view,
  budget,
  background,
});
surface.on('settled', (now) => (settled = now));
surface.attach(document.querySelector('#host') as HTMLElement);
surface.setAppearance({ coloring: attribute === 'Color' ? 'RGB' : 'INTENSITY' });
void surface.open({ kind: file.endsWith('.copc.laz') ? 'COPC' : 'TILES', url: file }).then(() => (isOpening = false));

const cloudBench: CloudBenchPage = {
  look: (next) => surface.setView(next),
  busy: () => isOpening || !settled,
  points: () => surface.statistics.points,
  pick: async (x, y) => (await surface.pick(x, y))?.point,
};
Object.assign(window, { cloudBench });
