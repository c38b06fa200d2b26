import { WebGlPanoramaEngine } from '../../../plugins/tour/web/viewer/panorama-engine.ts';
import type { BenchPage } from './page-measures.ts';

const host = document.querySelector('#host') as HTMLElement;
const engine = new WebGlPanoramaEngine();
const levels = [1024, 2048, 4096, 8192].map((width) => ({
  width,
  height: width / 2,
  columns: width / 512,
  rows: width / 1024,
}));
const buildPicture = (id: string) => ({
  tiles: { id, address: '/equirect', tileSize: 512, levels, mesh: false },
  heading: 0,
  position: [0, 0, 0] as const,
});
engine.attach(host, { label: 'Panorama', first: buildPicture('first') });
void engine.show(buildPicture('first'), { view: { pan: 0, tilt: 0, fov: 58.7 } });

const bench: BenchPage = {
  look: (pan) => engine.setView({ pan }),
  addPins: (pins) =>
    engine.setPins(
      pins.map(({ id, pan, tilt }) => ({
        id,
        pan: (pan + 360) % 360,
        tilt,
        label: id,
        className: '',
        render: (button) => button.append(Object.assign(document.createElement('b'), { textContent: id })),
        onActivate: () => undefined,
      })),
    ),
  goTo: async (node) => {
    const showing = engine.show(buildPicture(node), { transition: 'fade' });
    const sharp = new Promise<void>((resolve) => {
      const stop = engine.on('sharp', ({ id }) => {
        if (id !== node) return;
        stop();
        resolve();
      });
    });
    await showing;
    await sharp;
    return engine.statistics.textureBytes;
  },
};
Object.assign(window, { bench });
