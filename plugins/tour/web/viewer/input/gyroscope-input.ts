import { computeShortestTurn } from '#core';
import { computeDeviceDirection } from '../math/device-direction.ts';
import type { InputTarget } from './pointer-input.ts';

/** An extension of iOS that the standard does not have. */
interface PermissionRequester {
  requestPermission?: () => Promise<'granted' | 'denied'>;
}

/** Milliseconds to wait for the first event. Desktop browsers have the interface but send no events. */
const timeoutMs = 1_000;

/**
 * Turns the view with the device, starting from the current view. A drag adds an offset. Resolves to the function that
 * stops it, or to undefined without a sensor or permission. Call it from a click, because iOS asks for permission.
 */
export async function followDevice(target: InputTarget): Promise<(() => void) | undefined> {
  if (typeof DeviceOrientationEvent === 'undefined') return undefined;
  const requester = DeviceOrientationEvent as unknown as PermissionRequester;
  if (requester.requestPermission && (await requester.requestPermission().catch(() => 'denied')) !== 'granted')
    return undefined;

  let previous: { readonly pan: number; readonly tilt: number } | undefined;
  let onFirstEvent: () => void = () => undefined;
  const handleOrientation = ({ alpha, beta, gamma }: DeviceOrientationEvent): void => {
    if (alpha === null || beta === null || gamma === null) return;
    onFirstEvent();
    const now = computeDeviceDirection(alpha, beta, gamma);
    const { view } = target.motion;
    target.motion.set({
      pan: view.pan + (previous ? computeShortestTurn(previous.pan, now.pan) : 0),
      tilt: previous ? view.tilt + now.tilt - previous.tilt : now.tilt,
    });
    previous = now;
    target.onChange();
  };
  window.addEventListener('deviceorientation', handleOrientation);
  const stop = (): void => window.removeEventListener('deviceorientation', handleOrientation);
  const hasSensor = await new Promise<boolean>((resolve) => {
    onFirstEvent = () => resolve(true);
    setTimeout(() => resolve(false), timeoutMs);
  });
  if (hasSensor) return stop;
  stop();
  return undefined;
}
