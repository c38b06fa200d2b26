import { expect, it } from 'vitest';
import type { ViewSurface } from '#plugins/tour';
import { CanvasCamera } from './snapshot-camera.ts';

it('[TOUR-11] draws the full text of labels that are truncated on screen', async () => {
  const host = document.createElement('div');
  host.innerHTML =
    '<svg data-marks><g data-label transform="translate(10 20)"><rect width="40" height="24"></rect>' +
    '<text x="8" data-words="Diameter 219.1 ± 0.4 mm" data-width="180">Diam…</text></g>' +
    '<g data-label><rect width="90" height="24"></rect><text x="8">Whole</text></g></svg>';
  document.body.append(host);
  const surface: Partial<ViewSurface> = { module: 'm', host, takePicture: async () => new Blob() };
  const { marks } = await new CanvasCamera().captureSurface(surface as ViewSurface);
  expect(marks).toContain('>Diameter 219.1 ± 0.4 mm<');
  expect(marks).toContain('>Whole<');
  expect(marks).not.toContain('…');
  const [shortened, whole] = [...marks.matchAll(/<rect[^>]* width="([\d.]+)"/g)].map(([, width]) => Number(width));
  expect([shortened! > 100, whole]).toEqual([true, 90]);
  host.remove();
});
