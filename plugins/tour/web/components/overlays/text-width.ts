/** The font of labels, for CSS and canvas. */
export const labelFont = { size: 13, weight: 600 } as const;

const known = new Map<string, number>();
const maxKnown = 2000;
// Without a canvas, such as in tests, the width is estimated.
const context = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(1, 1).getContext('2d');

/** Width of a text in the font of labels, pixels. Cached by text. */
export function measureWidth(words: string, family: string): number {
  const key = `${family} ${words}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  if (context) context.font = `${labelFont.weight} ${labelFont.size}px ${family}`;
  const width = Math.ceil(context?.measureText(words).width ?? words.length * labelFont.size * 0.56);
  if (known.size >= maxKnown) known.clear();
  known.set(key, width);
  return width;
}

/** The text, or its longest beginning that fits the width with an ellipsis. */
export function shortened(words: string, width: number, family: string): string {
  if (measureWidth(words, family) <= width) return words;
  let [least, most] = [0, words.length - 1];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (measureWidth(`${words.slice(0, middle).trimEnd()}…`, family) <= width) least = middle;
    else most = middle - 1;
  }
  return `${words.slice(0, least).trimEnd()}…`;
}
