import type { TourStore } from '#plugins/tour';
import { colorings } from './cloud/cloud-graphics.ts';
import type { ClippingBox } from './cloud/tile-reader.ts';
import type { ScanChoices } from '../stores/scan-choices.ts';

/**
 * Of the view in the address: whether the picture or the cloud is shown, how the cloud is coloured, and its clipping
 * box: centre, half edges (metres) and pan (degrees).
 */
const lookLayer = 'scan';

/** A colleague who opens the address sees the scan in the same way. Returns the way out. */
export function syncLookWithAddress(choices: ScanChoices, store: TourStore): () => void {
  return store.setViewLayer(
    lookLayer,
    () => formatChoices(choices),
    (words) => take(choices, words),
  );
}

function formatChoices({ way, coloring, clip }: ScanChoices): string {
  if (way === 'PICTURE') return way;
  const numbers = clip && [...clip.centre, ...clip.half, clip.pan].map((each) => Number(each.toFixed(2)));
  return [way, coloring, ...(numbers ? [numbers.join(',')] : [])].join('~');
}

/** Words that say nothing known change nothing. */
function take(choices: ScanChoices, words: string | undefined): void {
  const [way, coloring, box] = words?.split('~') ?? [];
  if (way === 'PICTURE') choices.show(way);
  if (way === 'CLOUD')
    choices.show(way, {
      coloring: colorings.find((each) => each === coloring) ?? choices.coloring,
      clip: parseBox(box),
    });
}

function parseBox(words: string | undefined): ClippingBox | undefined {
  const [x, y, z, across, ahead, up, pan, ...others] = words?.split(',').map(Number) ?? [];
  if (
    x === undefined ||
    y === undefined ||
    z === undefined ||
    across === undefined ||
    ahead === undefined ||
    up === undefined ||
    pan === undefined ||
    others.length > 0
  )
    return undefined;
  const box: ClippingBox = { centre: [x, y, z], half: [across, ahead, up], pan };
  return [...box.centre, ...box.half, pan].every(Number.isFinite) && box.half.every((each) => each > 0)
    ? box
    : undefined;
}
