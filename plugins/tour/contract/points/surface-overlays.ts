import type { ComponentType, ReactNode } from 'react';
import { extensionPoint, type Contribution, type Point3 } from '#core';
import type { ViewSurface } from '../services/view-surface.ts';

/** When labels overlap, the lower rank is hidden. `making` is for unfinished shapes, whose labels are never hidden. */
export type LabelRank = 'behind' | 'usual' | 'chosen' | 'making';

/** Position of a label, pixels of the surface. */
export interface LabelAnchor {
  readonly x: number;
  readonly y: number;
  /** `beside`: to the left or to the right of the pixel. `over`: centred above it. */
  readonly mode: 'beside' | 'over';
  /** For `over`: half the width of the labelled object. */
  readonly from?: number;
  readonly to?: number;
  /** For `beside`: vertically centred on the pixel instead of slightly above it, such as for upright lines. */
  readonly level?: boolean;
}

export interface SurfaceLabelProps {
  /** Unique among all labels of the surface. */
  readonly id: string;
  readonly text: string;
  readonly anchor: LabelAnchor;
  /** The labelled point, site frame, metres. Among labels of equal rank, the nearer one is shown. */
  readonly point: Point3 | undefined;
  readonly rank: LabelRank;
}

export interface SiteShapeProps {
  /** Unique within the plugin. */
  readonly id: string;
  /** Site frame, metres. One point is drawn as a dot, several as a line. */
  readonly points: readonly Point3[];
  /** Connects the last point to the first. */
  readonly closed?: boolean;
  /** Fills the area between the points. */
  readonly filled?: boolean;
  /** Draws an arrow head at the end of the line. */
  readonly arrow?: boolean;
  /** Draws a dot at each point. Default: only for a single point. */
  readonly dots?: boolean;
  /** SVG around the origin, drawn at the first point instead of a dot. */
  readonly children?: ReactNode;
  /** Class of the group. Its `color` is that of the line, the dots and (translucent) the area. */
  readonly className?: string;
  /** The accessible name. It is also a visible label if there is room. */
  readonly label?: string;
  /** Position of the label. Default: to the right. */
  readonly labelAt?: 'right' | 'first' | 'middle';
  readonly rank?: LabelRank;
  /** If absent, pointer events pass through the shape. */
  readonly onActivate?: () => void;
}

export interface SurfaceOverlayProps {
  readonly surface: ViewSurface;
  /** True for the surface that handles keyboard input. */
  readonly main: boolean;
  /** Draws in site coordinates. Follows the camera, is clipped behind it, and is faint where it is occluded or far. */
  readonly Shape: ComponentType<SiteShapeProps>;
  /** A label that avoids covered areas and other labels. */
  readonly Label: ComponentType<SurfaceLabelProps>;
  /** Computes the opacity of `Shape`, for drawings of the overlay itself: faint where it is occluded or far. */
  readonly computeOpacity: (points: readonly Point3[], occluded: boolean) => number;
}

/**
 * A component that a plugin renders over each visible surface, in every module and in both panes of a split view. It
 * renders SVG, which snapshots include.
 */
export interface SurfaceOverlay extends Contribution {
  /** Ids of the modules with this overlay. Default: all. */
  readonly modules?: readonly string[];
  readonly load: () => Promise<{ readonly default: ComponentType<SurfaceOverlayProps> }>;
}
export const surfaceOverlays = extensionPoint<SurfaceOverlay>('tour.surfaceOverlay');
