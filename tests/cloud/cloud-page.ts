import { CloudSurface } from '../../plugins/scan/web/viewer/cloud/cloud-surface.ts';
import { waitForState, waitForFrame } from '../browser/wait-for-state.ts';
import { EasedCameraControllers } from '../../plugins/tour/web/viewer/walk/eased-camera-controllers.ts';

/** Shows only the cloud in a page, for tests that control it from outside. */
const events: string[] = [];
const surface = new CloudSurface(new EasedCameraControllers(), {
  module: 'scan.module',
  view: { position: [0, 0, 1.7], pan: 0, tilt: 0, fov: 60 },
});
surface.on('settled', (settled) => events.push(settled ? 'settled' : 'busy'));
surface.on('failed', ({ reason }) => events.push(`failed: ${reason}`));
surface.on('contextLost', () => events.push('contextLost'));
surface.on('contextRestored', () => events.push('contextRestored'));

/** Resolves when the surface has loaded all tiles in view. */
async function settle(): Promise<void> {
  await waitForFrame();
  await waitForFrame();
  const isSettled = (): boolean => events.findLast((event) => event === 'settled' || event === 'busy') === 'settled';
  await waitForState('the cloud to settle', isSettled, () => [events, surface.statistics]);
}

/** Resolves when the surface has emitted an event. */
const waitForEvent = (event: string): Promise<void> =>
  waitForState(
    event,
    () => events.includes(event),
    () => events,
  );

/** Computes the fraction of pixels that do not have the background colour. */
async function computeCoverage(): Promise<number> {
  const bitmap = await createImageBitmap(await surface.takePicture());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser has no 2D canvas.');
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  let coveredPixels = 0;
  for (let offset = 0; offset < data.length; offset += 4) {
    const isBackground = [13, 15, 18].every((value, channel) => data[offset + channel] === value);
    if (!isBackground) coveredPixels++;
  }
  return coveredPixels / (data.length / 4);
}

/** Resizes the canvas and computes the coverage of the first frame of that size. */
async function resize(width: number, height: number): Promise<number> {
  Object.assign(surface.host.style, { inset: '0 auto auto 0', width: `${width}px`, height: `${height}px` });
  // Resolves after the surface has observed the size too, and before it draws.
  await new Promise<void>((resolve) => {
    const observer = new ResizeObserver(() => {
      observer.disconnect();
      resolve();
    });
    observer.observe(surface.host);
  });
  return computeCoverage();
}

const detach = surface.attach(document.querySelector('#host') as HTMLElement);
const cloudPage = { surface, events, settle, waitForEvent, computeCoverage, resize, detach };
export type CloudPage = typeof cloudPage;
Object.assign(window, { cloudPage });
