/** Red, green and blue from 0 to 1. */
export type Colour = readonly [number, number, number];

/** Reads the brand colour of this page. Returns a dark grey if it cannot be read. */
export function readAccentColour(): Colour {
  const probe = document.createElement('span');
  probe.style.color = 'var(--colorBrandBackground)';
  document.body.append(probe);
  const [red, green, blue] = (/rgba?\((\d+), (\d+), (\d+)/.exec(getComputedStyle(probe).color) ?? [])
    .slice(1)
    .map((channel) => Number(channel) / 255);
  probe.remove();
  return red === undefined || green === undefined || blue === undefined ? [0.2, 0.2, 0.2] : [red, green, blue];
}
