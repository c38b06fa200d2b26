import { distanceBetween, type Point3 } from '#core';
import type { ShownCloud } from '../cloud/cloud-surface.ts';
import type { ScanStation } from '../../../contract/api.ts';

export interface StationPinsOptions {
  readonly pinClassName: string;
  readonly labelClassName: string;
  readonly label: (station: ScanStation) => string;
  readonly onActivate: (station: ScanStation) => void;
}

/** Nearer stations are at the eye, and the pins of farther ones would be indistinguishable. */
const visibleMetres = { minimum: 0.6, maximum: 40 };
/** Of two pins within this distance in pixels, the farther one is hidden. */
const minDistancePx = { x: 90, y: 40 };
/** Occlusion is computed after this time without movement, because the computation visits every point. */
const occlusionDelayMs = 150;

/** The buttons at the positions of scan stations in a point cloud. Occluded buttons are hidden and not focusable. */
export class StationPins {
  readonly #surface: ShownCloud;
  readonly #layer = document.createElement('div');
  readonly #pins: { readonly station: ScanStation; readonly button: HTMLButtonElement; isVisible: boolean }[] = [];
  readonly #unsubscribe: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    surface: ShownCloud,
    stations: readonly ScanStation[],
    { pinClassName, labelClassName, label, onActivate }: StationPinsOptions,
  ) {
    this.#surface = surface;
    for (const station of stations) {
      const button = Object.assign(document.createElement('button'), { type: 'button', className: pinClassName });
      button.setAttribute('aria-label', label(station));
      button.append(
        Object.assign(document.createElement('span'), { className: labelClassName, textContent: station.name }),
      );
      Object.assign(button.style, { position: 'absolute', left: '0', top: '0', visibility: 'hidden' });
      button.addEventListener('click', () => onActivate(station));
      this.#layer.append(button);
      this.#pins.push({ station, button, isVisible: true });
    }
    surface.host.append(this.#layer);
    this.#unsubscribe = surface.onChanged(() => {
      this.#placePins();
      this.#scheduleOcclusion();
    });
    this.#placePins();
    this.#scheduleOcclusion();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#unsubscribe();
    this.#layer.remove();
  }

  #placePins(): void {
    const eye = this.#surface.view.position;
    const shownPixels: { readonly x: number; readonly y: number }[] = [];
    for (const { station, button, isVisible } of this.#pins.sort(
      (a, b) => distanceBetween(eye, a.station.position) - distanceBetween(eye, b.station.position),
    )) {
      const position =
        isVisible && isInVisibleRange(eye, station.position) ? this.#surface.toPixel(station.position) : undefined;
      const pixel =
        position &&
        shownPixels.every(
          ({ x, y }) => Math.abs(x - position.x) > minDistancePx.x || Math.abs(y - position.y) > minDistancePx.y,
        )
          ? position
          : undefined;
      if (pixel) shownPixels.push(pixel);
      button.style.visibility = pixel ? 'visible' : 'hidden';
      if (pixel)
        button.style.transform = `translate(${pixel.x.toFixed(1)}px, ${pixel.y.toFixed(1)}px) translate(-50%, -24px)`;
    }
  }

  #scheduleOcclusion(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#updateOcclusion(), occlusionDelayMs);
  }

  #updateOcclusion(): void {
    const eye = this.#surface.view.position;
    for (const pin of this.#pins) {
      const pixel = isInVisibleRange(eye, pin.station.position)
        ? this.#surface.toPixel(pin.station.position)
        : undefined;
      pin.isVisible = pixel === undefined || this.#surface.sees(pin.station.position);
    }
    this.#placePins();
  }
}

function isInVisibleRange(eye: Point3, position: Point3): boolean {
  const metres = distanceBetween(eye, position);
  return metres >= visibleMetres.minimum && metres <= visibleMetres.maximum;
}
