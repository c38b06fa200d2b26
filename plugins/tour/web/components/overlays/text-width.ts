/** The font of labels, for CSS and canvas. */
export const labelFont = { size: 13, weight: 600 } as const;

const widths = new Map<string, number>();
const maxCachedWidths = 2000;
// Without a canvas, such as in tests, the width is estimated.
const context = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(1, 1).getContext('2d');

/** Measures the width of a text in the font of labels, pixels. Widths are cached. */
export function measureWidth(text: string, family: string): number {
  const key = `${family} ${text}`;
  const cached = widths.get(key);
  if (cached !== undefined) return cached;
  if (context) context.font = `${labelFont.weight} ${labelFont.size}px ${family}`;
  const width = Math.ceil(context?.measureText(text).width ?? text.length * labelFont.size * 0.56);
  if (widths.size >= maxCachedWidths) widths.clear();
  widths.set(key, width);
  return width;
}

/** Returns the text, or its longest beginning that fits the width with an ellipsis. */
export function truncateText(text: string, width: number, family: string): string {
  if (measureWidth(text, family) <= width) return text;
  let [low, high] = [0, text.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measureWidth(`${text.slice(0, middle).trimEnd()}…`, family) <= width) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low).trimEnd()}…`;
}
