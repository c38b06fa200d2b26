import { distanceBetween, type Point3 } from '#core';
import type { ShownCloud } from '../cloud/cloud-surface.ts';
import type { ScanStation } from '../../../contract/api.ts';

export interface StationPinsOptions {
  readonly pin: string;
  /** Class name of the pin's label. */
  readonly name: string;
  readonly label: (station: ScanStation) => string;
  readonly onActivate: (station: ScanStation) => void;
}

/** Metres: nearer stations are at the eye; farther pins would be indistinguishable. */
const reach = { nearest: 0.6, farthest: 40 };
/** Pixels: the farther one of two pins within this distance is hidden. */
const apart = { across: 90, down: 40 };
/** Milliseconds without movement before occlusion is computed, because it visits every point. */
const rest = 150;

/** Buttons at the positions of scan stations over a cloud. Occluded buttons are hidden and not focusable. */
export class StationPins {
  readonly #surface: ShownCloud;
  readonly #layer = document.createElement('div');
  readonly #pins: { readonly station: ScanStation; readonly button: HTMLButtonElement; seen: boolean }[] = [];
  readonly #leave: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    surface: ShownCloud,
    stations: readonly ScanStation[],
    { pin, name, label, onActivate }: StationPinsOptions,
  ) {
    this.#surface = surface;
    for (const station of stations) {
      const button = Object.assign(document.createElement('button'), { type: 'button', className: pin });
      button.setAttribute('aria-label', label(station));
      button.append(Object.assign(document.createElement('span'), { className: name, textContent: station.name }));
      Object.assign(button.style, { position: 'absolute', left: '0', top: '0', visibility: 'hidden' });
      button.addEventListener('click', () => onActivate(station));
      this.#layer.append(button);
      this.#pins.push({ station, button, seen: true });
    }
    surface.host.append(this.#layer);
    this.#leave = surface.onChanged(() => {
      this.#place();
      this.#rest();
    });
    this.#place();
    this.#rest();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#leave();
    this.#layer.remove();
  }

  #place(): void {
    const eye = this.#surface.view.position;
    const taken: { readonly x: number; readonly y: number }[] = [];
    for (const { station, button, seen } of this.#pins.sort(
      (a, b) => distanceBetween(eye, a.station.position) - distanceBetween(eye, b.station.position),
    )) {
      const place = seen && isNear(eye, station.position) ? this.#surface.toPixel(station.position) : undefined;
      const pixel =
        place && taken.every(({ x, y }) => Math.abs(x - place.x) > apart.across || Math.abs(y - place.y) > apart.down)
          ? place
          : undefined;
      if (pixel) taken.push(pixel);
      button.style.visibility = pixel ? 'visible' : 'hidden';
      if (pixel)
        button.style.transform = `translate(${pixel.x.toFixed(1)}px, ${pixel.y.toFixed(1)}px) translate(-50%, -24px)`;
    }
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#lookUp(), rest);
  }

  #lookUp(): void {
    const eye = this.#surface.view.position;
    for (const pin of this.#pins) {
      const pixel = isNear(eye, pin.station.position) ? this.#surface.toPixel(pin.station.position) : undefined;
      pin.seen = pixel === undefined || this.#surface.sees(pin.station.position);
    }
    this.#place();
  }
}

function isNear(eye: Point3, place: Point3): boolean {
  const metres = distanceBetween(eye, place);
  return metres >= reach.nearest && metres <= reach.farthest;
}
