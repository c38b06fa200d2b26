import type { TourStore } from '#plugins/tour';
import { colorings } from './cloud/cloud-graphics.ts';
import type { ClippingBox } from './cloud/tile-reader.ts';
import type { ScanChoices } from '../stores/scan-choices.ts';

/**
 * Scan settings in the view's address: panorama or cloud, point colours, and the clipping box with centre and half
 * edges in metres and pan in degrees.
 */
const lookLayer = 'scan';

/**
 * Synchronizes the scan settings with the address, so that a shared link shows the same view. Returns a cleanup
 * function.
 */
export function syncLookWithAddress(choices: ScanChoices, store: TourStore): () => void {
  return store.setViewLayer(
    lookLayer,
    () => formatChoices(choices),
    (text) => applySettings(choices, text),
  );
}

function formatChoices({ way, coloring, clip }: ScanChoices): string {
  if (way === 'PICTURE') return way;
  const numbers = clip && [...clip.centre, ...clip.half, clip.pan].map((each) => Number(each.toFixed(2)));
  return [way, coloring, ...(numbers ? [numbers.join(',')] : [])].join('~');
}

/** Unknown values are ignored. */
function applySettings(choices: ScanChoices, text: string | undefined): void {
  const [way, coloring, box] = text?.split('~') ?? [];
  if (way === 'PICTURE') choices.show(way);
  if (way === 'CLOUD')
    choices.show(way, {
      coloring: colorings.find((each) => each === coloring) ?? choices.coloring,
      clip: parseBox(box),
    });
}

function parseBox(text: string | undefined): ClippingBox | undefined {
  const [x, y, z, across, ahead, up, pan, ...rest] = text?.split(',').map(Number) ?? [];
  if (
    x === undefined ||
    y === undefined ||
    z === undefined ||
    across === undefined ||
    ahead === undefined ||
    up === undefined ||
    pan === undefined ||
    rest.length > 0
  )
    return undefined;
  const box: ClippingBox = { centre: [x, y, z], half: [across, ahead, up], pan };
  return [...box.centre, ...box.half, pan].every(Number.isFinite) && box.half.every((each) => each > 0)
    ? box
    : undefined;
}
