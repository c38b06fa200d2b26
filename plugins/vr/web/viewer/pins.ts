import type { PanoramaPin, TagPin, TourLink, TourNode } from '#plugins/tour';
import type { Text } from '#core/web';

/** Class names of a pin and its parts. */
export interface PinStyles {
  readonly hotspot: string;
  /** For hotspots with hover navigation. */
  readonly dwelling: string;
  readonly disc: string;
  readonly arrow: string;
  readonly visited: string;
  readonly hotspotName: string;
  readonly tag: string;
  readonly selected: string;
  readonly dot: string;
  readonly tagName: string;
}

/** Nearest first; farther ones would overlap. */
const maxTags = 120;

const span = (className: string, text = ''): HTMLSpanElement =>
  Object.assign(document.createElement('span'), { className, textContent: text });

export interface HotspotOptions {
  readonly styles: PinStyles;
  readonly t: Text;
  readonly visited: boolean;
  readonly dwells: boolean;
  readonly go: () => void;
  readonly onHover: (inside: boolean) => void;
}

/** A disc on the floor at the next node, or an arrow for a link up or down; with a name. */
export function hotspot(
  link: TourLink,
  target: TourNode,
  { styles, t, visited, dwells, go, onHover }: HotspotOptions,
): PanoramaPin {
  return {
    id: `to ${link.to} ${visited ? 'visited' : ''}`,
    pan: link.pan,
    tilt: link.tilt,
    label: t(visited ? 'vr.goToVisited' : 'vr.goTo', { name: target.name }),
    className: dwells ? `${styles.hotspot} ${styles.dwelling}` : styles.hotspot,
    render: (button) => {
      const mark = span(
        link.kind === 'WALK' ? styles.disc : styles.arrow,
        link.kind === 'WALK' ? '' : link.tilt > 0 ? '↑' : '↓',
      );
      if (visited) mark.classList.add(...styles.visited.split(' '));
      mark.style.fontSize = `${Math.round(Math.min(40, Math.max(20, 160 / link.distance)))}px`;
      button.append(mark, span(styles.hotspotName, target.name));
    },
    onActivate: go,
    onHover,
  };
}

export interface TagPinOptions {
  readonly styles: PinStyles;
  readonly t: Text;
  readonly selected: string | undefined;
  readonly select: (number: string) => void;
}

/**
 * Dots at tags, the selected one first, then the nearest. The name is visible on hover, on focus, and on the selected
 * tag.
 */
export function tagPins(
  tags: readonly TagPin[],
  { styles, t, selected, select }: TagPinOptions,
): readonly PanoramaPin[] {
  const first = tags.filter((tag) => tag.number === selected);
  const others = tags.filter((tag) => tag.number !== selected).slice(0, maxTags);
  return [...first, ...others].map((tag) => ({
    id: `tag ${tag.number}`,
    pan: tag.pan,
    tilt: tag.tilt,
    label: t('vr.tag', { number: tag.number, description: tag.description }),
    className: tag.number === selected ? `${styles.tag} ${styles.selected}` : styles.tag,
    render: (button) => button.append(span(styles.dot), span(styles.tagName, tag.number)),
    onActivate: () => select(tag.number),
  }));
}
