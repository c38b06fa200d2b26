import { observer } from 'mobx-react-lite';
import { useContributions, useService } from '#core/web';
import { tourModules, TourStore } from '#plugins/tour';
import { SiteShape } from './site-shape.tsx';
import { useSurfaceScope } from './surface-context.ts';

/** Marks the selected tag on a surface, unless the panorama has a pin of it. */
export const SelectedTagMark = observer(function SelectedTagMark() {
  const { surface } = useSurfaceScope();
  const { selectedTag, currentNode } = useService(TourStore);
  const module = useContributions(tourModules).find(({ id }) => id === surface.module);
  const details = selectedTag?.details;
  const hasPin = module?.viewType === 'PANO' && details?.seenFrom.some(({ node }) => node === currentNode?.uid);
  if (!details?.position || hasPin) return null;
  return (
    <g data-testid="selected-tag">
      <SiteShape id="selectedTag" points={[details.position]} label={details.number} rank="chosen">
        <circle r={11} fill="none" stroke="rgba(0, 0, 0, 0.65)" strokeWidth={7} />
        <circle r={11} fill="none" stroke="#ffd24d" strokeWidth={3} />
      </SiteShape>
    </g>
  );
});
