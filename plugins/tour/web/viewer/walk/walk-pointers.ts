import { toDirection, distanceBetween, dotProduct, minus, plus, toRadians, times, type Point3 } from '#core';
import { listenToGestures, type PointerPosition } from '../input/pointer-gestures.ts';
import type { CameraListener } from '#plugins/tour';
import type { EasedCameraController } from './eased-camera-controller.ts';

/** Assumed distance if no point is hit, metres. */
const defaultDistanceMetres = 10;
/** Minimum distance to a point for movements, metres. */
const minDistanceMetres = 0.3;
/** Pause of the wheel after which the next wheel event picks another target, milliseconds. */
const wheelPauseMs = 250;
/** Degrees of orbit per pixel. */
const orbitDegreesPerPixel = 0.35;

/**
 * Moves a camera by pointers. A drag turns or orbits. Two fingers, the right button or Shift slide. Pinch and wheel
 * move towards the point under them. Returns the function that stops it.
 */
export function listenToPointers(
  host: HTMLElement,
  controller: EasedCameraController,
  { pointAt, onChange, onClick }: Pick<CameraListener, 'pointAt' | 'onChange' | 'onClick'>,
): () => void {
  let isSliding = false;
  let target: Point3 | undefined;
  let lastPickNumber = 0;
  let wheelPick = Promise.resolve();
  let lastWheelTime = -Infinity;

  const pickTarget = async ({ x, y }: PointerPosition, onPicked?: (target: Point3) => void): Promise<void> => {
    const pickNumber = ++lastPickNumber;
    const point = await pointAt(x, y);
    // A later gesture has requested another target.
    if (pickNumber !== lastPickNumber) return;
    target = point;
    if (point) onPicked?.(point);
  };
  const computeTargetDistance = (): number =>
    target ? Math.max(minDistanceMetres, distanceBetween(target, controller.view.position)) : defaultDistanceMetres;
  /** Computes the depth of the target, by which a slide keeps it under the finger. */
  const computeDepth = (): number =>
    target
      ? Math.max(
          minDistanceMetres,
          dotProduct(minus(target, controller.view.position), toDirection(controller.view.pan, controller.view.tilt)),
        )
      : defaultDistanceMetres;
  const getHeight = (): number => Math.max(1, host.clientHeight);
  const computeMetresPerPixel = (): number =>
    (2 * computeDepth() * Math.tan(toRadians(controller.view.fov) / 2)) / getHeight();

  const turn = (dx: number, dy: number): void => {
    if (controller.mode === 'orbit') return controller.turn(dx * orbitDegreesPerPixel, -dy * orbitDegreesPerPixel);
    const degreesPerPixel = controller.view.fov / getHeight();
    controller.turn(-dx * degreesPerPixel, dy * degreesPerPixel);
  };

  const stop = listenToGestures(host, {
    onPress: (event, fingers, getMiddle) => {
      if (event.button > 2) return false;
      isSliding = event.button !== 0 || event.shiftKey;
      if (isSliding || fingers > 1) void pickTarget(getMiddle());
      else if (controller.mode === 'orbit') {
        // The orbit target gets the distance of the pressed point.
        void pickTarget(getMiddle(), (point) => {
          const { position, pan, tilt } = controller.view;
          controller.target = plus(position, times(toDirection(pan, tilt), distanceBetween(point, position)));
        });
      }
      return true;
    },
    onDrag: (dx, dy, _, fingers) => {
      if (fingers === 1 && !isSliding) turn(dx, dy);
      else controller.slide(-dx * computeMetresPerPixel(), dy * computeMetresPerPixel());
    },
    onPinch: (ratio) => controller.advance(computeTargetDistance() * (1 - ratio), target),
    onGestureStep: onChange,
    onRelease: (event, { x, y }, wasDrag, remainingCount) => {
      if (remainingCount > 0) return;
      // Tools that handle a click prevent the default of `pointerup`.
      if (!wasDrag && !event.defaultPrevented && event.type === 'pointerup' && event.button === 0)
        onClick?.(x, y, event.ctrlKey || event.metaKey);
      isSliding = false;
    },
    onScroll: (amount, { timeStamp, ctrlKey }, position) => {
      if (timeStamp - lastWheelTime > wheelPauseMs) wheelPick = pickTarget(position);
      lastWheelTime = timeStamp;
      const fraction = 1 - Math.exp(amount * (ctrlKey ? 0.01 : 0.0012));
      void wheelPick.then(() => {
        controller.advance(fraction * computeTargetDistance(), target);
        onChange();
      });
    },
  });
  const handleMenu = (event: Event): void => event.preventDefault();
  host.addEventListener('contextmenu', handleMenu);
  return () => {
    stop();
    host.removeEventListener('contextmenu', handleMenu);
  };
}
