interface Pixel {
  readonly x: number;
  readonly y: number;
}

/**
 * Finds the uids of the measurements and annotations that are drawn over a surface. This includes faint items behind
 * equipment, because the snapshot shows them too.
 */
export function findDrawnItems(host: HTMLElement): ReadonlySet<string> {
  const picture = host.getBoundingClientRect();
  const groups = [...host.querySelectorAll<SVGGElement>('[data-item]')];
  return new Set(
    groups
      .filter((group) => findPaths(group).some((path) => touchesPicture(path, picture)))
      .flatMap(({ dataset }) => dataset['item'] ?? []),
  );
}

/** Finds the lines of a group, and its points as paths without lines. */
const findPaths = (group: SVGGElement): readonly string[] =>
  [...group.querySelectorAll('path, circle')].map((shape) =>
    shape.localName === 'path'
      ? (shape.getAttribute('d') ?? '')
      : `M${shape.getAttribute('cx')} ${shape.getAttribute('cy')}`,
  );

/**
 * Whether a path crosses or encloses the picture, which extends from (0, 0) to its size. The path consists of the
 * commands `M`, `L` and `Z` with absolute pixels.
 */
export function touchesPicture(path: string, { width, height }: Pick<DOMRect, 'width' | 'height'>): boolean {
  const lines = path
    .split('M')
    .slice(1)
    .map((line) => ({ pixels: line.replace('Z', '').split('L').map(parsePixel), closed: line.endsWith('Z') }));
  return lines.some(({ pixels, closed }) => {
    const ends = closed ? [...pixels.slice(1), ...pixels.slice(0, 1)] : pixels.slice(1);
    if (pixels.length === 1) ends.push(...pixels);
    if (ends.some((end, index) => crossesPicture(pixels[index] ?? end, end, width, height))) return true;
    // No line crosses the picture, so the path encloses either the whole picture or nothing of it.
    const crossings = ends.filter((end, index) => crossesLeftRay(pixels[index] ?? end, end));
    return closed && crossings.length % 2 === 1;
  });
}

function parsePixel(text: string): Pixel {
  const [x = Number.NaN, y = Number.NaN] = text.trim().split(' ').map(Number);
  return { x, y };
}

/** Whether a line crosses the picture, by the Liang–Barsky algorithm. */
function crossesPicture(a: Pixel, b: Pixel, width: number, height: number): boolean {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  let [from, to] = [0, 1];
  for (const [step, room] of [
    [-dx, a.x],
    [dx, width - a.x],
    [-dy, a.y],
    [dy, height - a.y],
  ] as const) {
    if (step === 0 && !(room >= 0)) return false;
    if (step < 0) from = Math.max(from, room / step);
    else if (step > 0) to = Math.min(to, room / step);
  }
  return from <= to;
}

/** Whether a line crosses the ray from (0, 0) to the left. */
const crossesLeftRay = (a: Pixel, b: Pixel): boolean =>
  a.y > 0 !== b.y > 0 && a.x - (a.y * (b.x - a.x)) / (b.y - a.y) < 0;
