import { toPanTilt, type Point3 } from '#core';
import type { Text } from '#core/web';
import type { PanoramaPin, PanoramaShape } from '#plugins/tour';
import type { Marker, MarkerKind } from '#plugins/vr';
import type { MarkerDraft } from '../stores/marker-draft.ts';

/** Class names of pins and outlines. */
export interface MarkerStyles {
  readonly pin: string;
  readonly selected: string;
  readonly sign: string;
  readonly name: string;
  readonly handle: string;
  readonly area: string;
  readonly areaSelected: string;
  readonly draft: string;
}

export interface MarkerDrawingOptions {
  readonly t: Text;
  readonly styles: MarkerStyles;
  /** Position of the camera in the site frame. */
  readonly eye: Point3;
  readonly selected: string | undefined;
  readonly openMarker: (marker: Marker) => void;
}

const iconPaths: Readonly<Record<MarkerKind, string>> = {
  DOCUMENT: 'M4.5 2.5h4.5l2.5 2.5v8.5h-7zM6.5 8h3M6.5 10.5h3',
  TAG: 'M3 8.5 8.5 3H13v4.5L7.5 13zM10.6 5.4v.01',
  HOTSPOT: 'M8 13V3M4 7l4-4 4 4',
  NOTE: 'M8 7.2v4.3M8 4.5v.1',
};

const computeRay = (eye: Point3, [x, y, z]: Point3): Point3 => [x - eye[0], y - eye[1], z - eye[2]];

/** Creates the buttons of the point markers, with the selected marker first. */
export function createMarkerPins(
  markers: readonly Marker[],
  { t, styles, eye, selected, openMarker }: MarkerDrawingOptions,
): readonly PanoramaPin[] {
  return markers
    .filter((marker) => marker.shape === 'POINT')
    .toSorted((a, b) => Number(b.uid === selected) - Number(a.uid === selected))
    .flatMap((marker) => {
      const [point] = marker.points;
      if (!point) return [];
      const { pan, tilt } = toPanTilt(computeRay(eye, point));
      return [
        {
          id: `marker ${marker.uid} ${marker.kind} ${marker.name}`,
          pan,
          tilt,
          label: formatLabel(marker, t),
          className: marker.uid === selected ? `${styles.pin} ${styles.selected}` : styles.pin,
          render: (button) =>
            button.append(
              createIcon(marker.kind, styles.sign),
              Object.assign(document.createElement('span'), { className: styles.name, textContent: marker.name }),
            ),
          onActivate: () => openMarker(marker),
        } satisfies PanoramaPin,
      ];
    });
}

/** Creates the outlines of the areas, with the selected area last, so that it covers the others. */
export function createMarkerShapes(
  markers: readonly Marker[],
  { t, styles, eye, selected, openMarker }: MarkerDrawingOptions,
): readonly PanoramaShape[] {
  return markers
    .filter((marker) => marker.shape === 'POLYGON')
    .toSorted((a, b) => Number(a.uid === selected) - Number(b.uid === selected))
    .map((marker) => ({
      id: `marker ${marker.uid}`,
      corners: marker.points.map((point) => computeRay(eye, point)),
      closed: true,
      name: marker.name,
      label: formatLabel(marker, t),
      className: marker.uid === selected ? `${styles.area} ${styles.areaSelected}` : styles.area,
      onActivate: () => openMarker(marker),
    }));
}

/** Creates the outline of the draft. */
export function createDraftShapes(draft: MarkerDraft, eye: Point3, styles: MarkerStyles): readonly PanoramaShape[] {
  if (draft.shape === 'POINT' || draft.points.length < 2) return [];
  return [
    {
      id: 'draft',
      corners: draft.points.map((point) => computeRay(eye, point)),
      closed: draft.isComplete,
      name: '',
      label: '',
      className: styles.draft,
    },
  ];
}

export interface DraftPinOptions {
  readonly t: Text;
  readonly styles: MarkerStyles;
  readonly eye: Point3;
  /** Attaches pointer and key listeners to the button of a corner. Called once per button. */
  readonly attachInput: (button: HTMLButtonElement, index: number) => void;
}

/** Creates a handle for each point of the draft. */
export function createDraftPins(
  draft: MarkerDraft,
  { t, styles, eye, attachInput }: DraftPinOptions,
): readonly PanoramaPin[] {
  return draft.points.map((point, index) => ({
    id: `corner ${index}`,
    ...toPanTilt(computeRay(eye, point)),
    label: t(draft.shape === 'POINT' ? 'vr.marker.handle' : 'vr.marker.corner', { number: index + 1 }),
    className: styles.handle,
    render: (button) => attachInput(button, index),
    onActivate: () => undefined,
  }));
}

const formatLabel = (marker: Marker, t: Text): string =>
  t('vr.marker.label', { kind: t(`vr.marker.kind.${marker.kind}`), name: marker.name });

function createIcon(kind: MarkerKind, className: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  for (const [name, value] of [
    ['viewBox', '0 0 16 16'],
    ['class', className],
    ['fill', 'none'],
    ['stroke', 'currentColor'],
    ['stroke-width', '1.5'],
    ['stroke-linecap', 'round'],
    ['stroke-linejoin', 'round'],
    ['aria-hidden', 'true'],
  ] as const)
    svg.setAttribute(name, value);
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', iconPaths[kind]);
  svg.append(path);
  return svg;
}
