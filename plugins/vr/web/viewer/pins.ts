import type { PanoramaPin, TagPin, TourLink, TourNode } from '#plugins/tour';
import type { Text } from '#core/web';

/** Class names of a pin and its parts. */
export interface PinStyles {
  readonly hotspot: string;
  /** Added to hotspots if hover navigation is on. */
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

/** Only the nearest tags get pins, because more pins would overlap. */
const maxTags = 120;

const createSpan = (className: string, text = ''): HTMLSpanElement =>
  Object.assign(document.createElement('span'), { className, textContent: text });

export interface HotspotOptions {
  readonly styles: PinStyles;
  readonly t: Text;
  readonly isVisited: boolean;
  readonly hoverNavigation: boolean;
  readonly onActivate: () => void;
  readonly onHover: (inside: boolean) => void;
}

/** Creates a named hotspot, which is a disc on the floor, or an arrow for a link to another deck. */
export function createHotspot(
  link: TourLink,
  target: TourNode,
  { styles, t, isVisited, hoverNavigation, onActivate, onHover }: HotspotOptions,
): PanoramaPin {
  return {
    id: `to ${link.to} ${isVisited ? 'visited' : ''}`,
    pan: link.pan,
    tilt: link.tilt,
    label: t(isVisited ? 'vr.goToVisited' : 'vr.goTo', { name: target.name }),
    className: hoverNavigation ? `${styles.hotspot} ${styles.dwelling}` : styles.hotspot,
    render: (button) => {
      const arrow = link.tilt > 0 ? '↑' : '↓';
      const mark = link.kind === 'WALK' ? createSpan(styles.disc) : createSpan(styles.arrow, arrow);
      if (isVisited) mark.classList.add(...styles.visited.split(' '));
      mark.style.fontSize = `${Math.round(Math.min(40, Math.max(20, 160 / link.distance)))}px`;
      button.append(mark, createSpan(styles.hotspotName, target.name));
    },
    onActivate,
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
 * Creates a dot for each tag, with the selected tag first and then the nearest. The name is visible on hover, on focus,
 * and on the selected tag.
 */
export function createTagPins(
  tags: readonly TagPin[],
  { styles, t, selected, select }: TagPinOptions,
): readonly PanoramaPin[] {
  const selectedTags = tags.filter((tag) => tag.number === selected);
  const nearestTags = tags.filter((tag) => tag.number !== selected).slice(0, maxTags);
  return [...selectedTags, ...nearestTags].map((tag) => ({
    id: `tag ${tag.number}`,
    pan: tag.pan,
    tilt: tag.tilt,
    label: t('vr.tag', { number: tag.number, description: tag.description }),
    className: tag.number === selected ? `${styles.tag} ${styles.selected}` : styles.tag,
    render: (button) => button.append(createSpan(styles.dot), createSpan(styles.tagName, tag.number)),
    onActivate: () => select(tag.number),
  }));
}
