import { useCallback, useEffect, useMemo } from 'react';
import { createPortal } from 'react-dom';
import { observer } from 'mobx-react-lite';
import type { Point3 } from '#core';
import { makeStyles } from '#core/ui';
import { ContributedComponent, useContributions, useLoadService, useService } from '#core/web';
import {
  surfaceOverlays,
  TourLayout,
  tourModules,
  TourTools,
  ViewSurfaces,
  type SurfaceOverlay,
  type ViewSurface,
} from '#plugins/tour';
import { SiteDepthLookup } from '../../viewer/surface/site-depth-lookup.ts';
import { LabelLayout } from './label-layout.ts';
import { Label } from './label.tsx';
import { computeMarkOpacity } from './mark-opacity.ts';
import { SelectedTagMark } from './selected-tag-mark.tsx';
import { SiteShape } from './site-shape.tsx';
import { SurfaceContext, type SurfaceScope } from './surface-context.ts';

const useStyles = makeStyles({
  layer: { position: 'absolute', inset: 0, width: '100%', height: '100%', pointerEvents: 'none', overflow: 'clip' },
});

/** Renders the overlays of plugins on the visible surfaces, and registers the depth sources of plugins. */
export const SurfaceOverlays = observer(function SurfaceOverlays() {
  const overlays = useContributions(surfaceOverlays);
  const modules = useContributions(tourModules);
  const loadService = useLoadService();
  const depthLookup = useService(SiteDepthLookup);
  useEffect(() =>
    depthLookup.setSources(
      modules.flatMap((module) => {
        const { depthSource } = module;
        return depthSource ? [() => loadService(module, depthSource)] : [];
      }),
    ),
  );
  const { all } = useService(ViewSurfaces);
  return all.map((surface, index) => (
    <OverlaysOfSurface
      key={surface.module}
      surface={surface}
      main={index === 0}
      overlays={overlays.filter((overlay) => overlay.modules?.includes(surface.module) ?? true)}
    />
  ));
});

interface OverlaysOfSurfaceProps {
  readonly surface: ViewSurface;
  readonly main: boolean;
  readonly overlays: readonly SurfaceOverlay[];
}

function OverlaysOfSurface({ surface, main, overlays }: OverlaysOfSurfaceProps) {
  const styles = useStyles();
  const layout = useService(TourLayout);
  const tools = useService(TourTools);
  const labels = useMemo(() => new LabelLayout(surface.host, layout), [surface, layout]);
  useEffect(() => labels.start(), [labels]);
  const computeOpacity = useCallback(
    (points: readonly Point3[], occluded: boolean) => computeMarkOpacity(points, { eye: tools.position, occluded }),
    [tools],
  );
  const scope: SurfaceScope = { surface, labels, layout, tools };
  return createPortal(
    <SurfaceContext value={scope}>
      <svg className={styles.layer} role="none" data-marks>
        <SelectedTagMark />
      </svg>
      {overlays.map((overlay) => (
        <svg key={overlay.id} className={styles.layer} role="none" data-marks>
          <ContributedComponent
            contribution={overlay}
            load={overlay.load}
            props={{ surface, main, Shape: SiteShape, Label, computeOpacity }}
          />
        </svg>
      ))}
    </SurfaceContext>,
    surface.host,
  );
}
