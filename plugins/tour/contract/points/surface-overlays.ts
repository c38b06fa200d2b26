import type { ComponentType, ReactNode } from 'react';
import { extensionPoint, type Contribution, type Point3 } from '#core';
import type { ViewSurface } from '../services/view-surface.ts';

/** Of labels that would lie on one another those of a lower rank are hidden; `making` is shown in any case. */
export type LabelRank = 'behind' | 'usual' | 'chosen' | 'making';

/** Where a label belongs, pixels of the surface. */
export interface LabelAnchor {
  readonly x: number;
  readonly y: number;
  /** `beside`: next to the pixel, to the left or to the right of it. `over`: in the middle above it. */
  readonly mode: 'beside' | 'over';
  /** Of `over`: how far what it stands over reaches to either side. */
  readonly from?: number;
  readonly to?: number;
  /** Of `beside`: level with the pixel instead of a little above it, as beside a line that stands up. */
  readonly level?: boolean;
}

export interface SurfaceLabelProps {
  /** Unique among all labels of the surface. */
  readonly id: string;
  readonly words: string;
  readonly anchor: LabelAnchor;
  /** What it names, site frame, metres: of two labels of a rank the nearer one is shown. */
  readonly point: Point3 | undefined;
  readonly rank: LabelRank;
}

export interface SiteShapeProps {
  /** Unique within the plugin. */
  readonly id: string;
  /** Site frame, metres. One point is a mark, several are joined by a line. */
  readonly points: readonly Point3[];
  /** Joins the last point to the first. */
  readonly closed?: boolean;
  /** Fills what lies between the points. */
  readonly filled?: boolean;
  /** The end of the line is an arrow's head. */
  readonly arrow?: boolean;
  /** Draws a dot on each point. Default: only where there is a single one. */
  readonly dots?: boolean;
  /** Drawn at the first point instead of a dot: SVG around the origin. */
  readonly children?: ReactNode;
  /** Of the group. Its `color` is that of line and dots; the fill of an area is a part of it. */
  readonly className?: string;
  /** Written beside it where there is room; also the accessible name. */
  readonly label?: string;
  /** Where the label stands. Default: to the right. */
  readonly labelAt?: 'right' | 'first' | 'middle';
  readonly rank?: LabelRank;
  /** Absent: presses go through it. */
  readonly onActivate?: () => void;
}

export interface SurfaceOverlayProps {
  readonly surface: ViewSurface;
  /** Keys are for this surface. */
  readonly main: boolean;
  /** Draws in the site's space: follows the camera, is cut off behind it, and faint where something stands before it. */
  readonly Shape: ComponentType<SiteShapeProps>;
  /** Words that keep clear of what covers the picture and of other labels. */
  readonly Label: ComponentType<SurfaceLabelProps>;
}

/**
 * What a plugin draws over each surface on screen: in every module, and in both halves of a split view. The component
 * draws SVG; snapshots take the drawing along.
 */
export interface SurfaceOverlay extends Contribution {
  /** Ids of the modules it is drawn over; absent: all. */
  readonly modules?: readonly string[];
  readonly load: () => Promise<{ readonly default: ComponentType<SurfaceOverlayProps> }>;
}
export const surfaceOverlays = extensionPoint<SurfaceOverlay>('tour.surfaceOverlay');
