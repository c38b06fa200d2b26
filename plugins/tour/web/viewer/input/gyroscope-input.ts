import { shortestTurn } from '#core';
import { deviceDirection } from '../math/device-direction.ts';
import type { InputTarget } from './pointer-input.ts';

/** An extension of iOS that the standard does not have. */
interface AskingEvent {
  requestPermission?: () => Promise<'granted' | 'denied'>;
}

/** Milliseconds to wait for the first event: desktop browsers have the interface but send no events. */
const timeoutMs = 1_000;

/**
 * Follows the device's orientation, starting from the current view; a drag adds an offset. Resolves to the function
 * that stops it, or to undefined without a sensor or permission. Call it from a click.
 */
export async function followDevice(target: InputTarget): Promise<(() => void) | undefined> {
  if (typeof DeviceOrientationEvent === 'undefined') return undefined;
  const asking = DeviceOrientationEvent as unknown as AskingEvent;
  if (asking.requestPermission && (await asking.requestPermission().catch(() => 'denied')) !== 'granted')
    return undefined;

  let before: { readonly pan: number; readonly tilt: number } | undefined;
  let received: () => void = () => undefined;
  const onOrientation = ({ alpha, beta, gamma }: DeviceOrientationEvent): void => {
    if (alpha === null || beta === null || gamma === null) return;
    received();
    const now = deviceDirection(alpha, beta, gamma);
    const { view } = target.motion;
    target.motion.set({
      pan: view.pan + (before ? shortestTurn(before.pan, now.pan) : 0),
      tilt: before ? view.tilt + now.tilt - before.tilt : now.tilt,
    });
    before = now;
    target.changed();
  };
  window.addEventListener('deviceorientation', onOrientation);
  const stop = (): void => window.removeEventListener('deviceorientation', onOrientation);
  const works = await new Promise<boolean>((resolve) => {
    received = () => resolve(true);
    setTimeout(() => resolve(false), timeoutMs);
  });
  if (works) return stop;
  stop();
  return undefined;
}
