import type { ComponentType, ReactNode } from 'react';
import { extensionPoint, type Contribution, type Point3 } from '#core';
import type { ViewSurface } from '../services/view-surface.ts';

/** When labels overlap, those with the lower rank are hidden. `making` is always visible. */
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
  readonly words: string;
  readonly anchor: LabelAnchor;
  /** The labelled point, site frame, metres. Among labels of equal rank, the nearer one is shown. */
  readonly point: Point3 | undefined;
  readonly rank: LabelRank;
}

export interface SiteShapeProps {
  /** Unique within the plugin. */
  readonly id: string;
  /** Site frame, metres. One point is a mark; several points form a line. */
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
  /** Class of the group. Its `color` is used for line and dots; an area is filled with a translucent version of it. */
  readonly className?: string;
  /** Visible label if there is room; always the accessible name. */
  readonly label?: string;
  /** Position of the label. Default: to the right. */
  readonly labelAt?: 'right' | 'first' | 'middle';
  readonly rank?: LabelRank;
  /** If absent, pointer events pass through the shape. */
  readonly onActivate?: () => void;
}

export interface SurfaceOverlayProps {
  readonly surface: ViewSurface;
  /** Whether keyboard input belongs to this surface. */
  readonly main: boolean;
  /** Draws in site coordinates. Follows the camera, is clipped behind it, and is faint where it is occluded. */
  readonly Shape: ComponentType<SiteShapeProps>;
  /** A label that avoids covered areas and other labels. */
  readonly Label: ComponentType<SurfaceLabelProps>;
}

/**
 * What a plugin draws over each visible surface: in every module, and in both panes of a split view. The component
 * renders SVG, which snapshots include.
 */
export interface SurfaceOverlay extends Contribution {
  /** Ids of the modules with this overlay. Default: all. */
  readonly modules?: readonly string[];
  readonly load: () => Promise<{ readonly default: ComponentType<SurfaceOverlayProps> }>;
}
export const surfaceOverlays = extensionPoint<SurfaceOverlay>('tour.surfaceOverlay');
