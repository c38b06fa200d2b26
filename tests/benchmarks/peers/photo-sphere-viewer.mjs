import { Viewer } from '@photo-sphere-viewer/core';
import { EquirectangularTilesAdapter } from '@photo-sphere-viewer/equirectangular-tiles-adapter';
import { MarkersPlugin } from '@photo-sphere-viewer/markers-plugin';

/**
 * Photo Sphere Viewer as its documentation configures multi-level tiles, with our tiles and preview. The measured view
 * uses the level of 4,096 pixels.
 */
const fov = 58.7;
const host = document.querySelector('#host');
const picture = '/equirect';
const limits = { minFov: 30, maxFov: 90 };
const zoom = ((limits.maxFov - fov) / (limits.maxFov - limits.minFov)) * 100;
const levels = [
  { width: 2048, cols: 4, rows: 2, zoomRange: [0, 25] },
  { width: 4096, cols: 8, rows: 4, zoomRange: [25, 75] },
  { width: 8192, cols: 16, rows: 8, zoomRange: [75, 100] },
];
const viewer = new Viewer({
  container: host,
  adapter: EquirectangularTilesAdapter.withConfig({ baseBlur: false }),
  panorama: {
    levels,
    baseUrl: `${picture}/preview.jpg`,
    tileUrl: (column, row, level) => `${picture}/${level + 1}/${column}_${row}.jpg`,
  },
  defaultZoomLvl: zoom,
  ...limits,
  navbar: false,
  plugins: [MarkersPlugin.withConfig({ markers: [] })],
});

window.bench = {
  look: (pan) => viewer.rotate({ yaw: (pan * Math.PI) / 180, pitch: 0 }),
  addPins: (pins) =>
    viewer.getPlugin(MarkersPlugin).setMarkers(
      pins.map(({ id, pan, tilt }) => ({
        id,
        html: `<b>${id}</b>`,
        position: { yaw: (pan * Math.PI) / 180, pitch: (tilt * Math.PI) / 180 },
        anchor: 'center center',
      })),
    ),
};
