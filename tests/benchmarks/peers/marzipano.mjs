import Marzipano from 'marzipano';

/**
 * Marzipano as its own tool configures it: a cube with several levels of one image, the coarsest of which is pinned.
 */
const host = document.querySelector('#host');
const viewer = new Marzipano.Viewer(host, { controls: { mouseViewMode: 'drag' } });
const geometry = new Marzipano.CubeGeometry([
  { tileSize: 256, size: 256, fallbackOnly: true },
  { tileSize: 512, size: 512 },
  { tileSize: 512, size: 1024 },
  { tileSize: 512, size: 2048 },
]);
const source = new Marzipano.ImageUrlSource(({ z, face, x, y }) => ({ url: `/cube/${z}/${face}/${x}_${y}.jpg` }));
const view = new Marzipano.RectilinearView(
  { yaw: 0, pitch: 0, fov: (58.7 * Math.PI) / 180 },
  Marzipano.RectilinearView.limit.traditional(4096, 2),
);
const scene = viewer.createScene({ source, geometry, view, pinFirstLevel: true });
scene.switchTo({ transitionDuration: 0 });

window.bench = {
  look: (pan) => view.setParameters({ yaw: (pan * Math.PI) / 180, pitch: 0 }),
  addPins: (pins) => {
    for (const { id, pan, tilt } of pins) {
      const element = document.createElement('div');
      element.innerHTML = `<b>${id}</b>`;
      element.style.position = 'absolute';
      scene.hotspotContainer().createHotspot(element, {
        yaw: ((pan > 180 ? pan - 360 : pan) * Math.PI) / 180,
        pitch: (-tilt * Math.PI) / 180,
      });
    }
  },
};
