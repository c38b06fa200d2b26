import type { TourStore } from '#plugins/tour';
import { colorings } from './cloud/cloud-graphics.ts';
import type { ClippingBox } from './cloud/tile-reader.ts';
import type { ScanChoices } from '../stores/scan-choices.ts';

/**
 * Id of the view layer with the scan settings in the URL. They are the mode, the point colours and the clipping box,
 * with its centre and half edges in metres and its pan in degrees.
 */
const layerId = 'scan';

/**
 * Synchronizes the scan settings with the URL, so that a shared link shows the same view. Returns a cleanup
 * function.
 */
export function syncChoicesWithUrl(choices: ScanChoices, store: TourStore): () => void {
  return store.setViewLayer(
    layerId,
    () => formatChoices(choices),
    (text) => applySettings(choices, text),
  );
}

function formatChoices({ mode, coloring, clip }: ScanChoices): string {
  if (mode === 'PICTURE') return mode;
  const numbers = clip && [...clip.centre, ...clip.half, clip.pan].map((number) => Number(number.toFixed(2)));
  return [mode, coloring, ...(numbers ? [numbers.join(',')] : [])].join('~');
}

/** Applies the settings of a URL and ignores unknown values. */
function applySettings(choices: ScanChoices, text: string | undefined): void {
  const [mode, coloring, box] = text?.split('~') ?? [];
  if (mode === 'PICTURE') choices.applySettings(mode);
  if (mode === 'CLOUD')
    choices.applySettings(mode, {
      coloring: colorings.find((candidate) => candidate === coloring) ?? choices.coloring,
      clip: parseBox(box),
    });
}

function parseBox(text: string | undefined): ClippingBox | undefined {
  const numbers = text?.split(',').map(Number) ?? [];
  if (numbers.length !== 7 || !numbers.every(Number.isFinite)) return undefined;
  const [x, y, z, halfWidth, halfDepth, halfHeight, pan] = numbers as [
    ...centre: [number, number, number],
    ...half: [number, number, number],
    pan: number,
  ];
  const box: ClippingBox = { centre: [x, y, z], half: [halfWidth, halfDepth, halfHeight], pan };
  return box.half.every((edge) => edge > 0) ? box : undefined;
}
