import { Suspense } from 'react';
import { observer } from 'mobx-react-lite';
import { PanelSkeleton, SidePanel } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { NodeList } from './node-list.tsx';
import { SearchResults } from './search-results.tsx';
import { TagPanel } from './tag-panel.tsx';

/**
 * Renders the top panel if it belongs to the tour: the selected tag, the search results, or the list of viewpoints.
 * Renders nothing for panels of plugins.
 */
export const TourPanel = observer(function TourPanel() {
  const t = useText();
  const store = useService(TourStore);
  const { panel, selectedTag } = store;
  const close = (): void => store.setPanel(undefined);
  const closeLabel = t('tour.closePanel');
  if (panel === 'tag' && selectedTag)
    return (
      <SidePanel title={selectedTag.number} closeLabel={closeLabel} onClose={close}>
        <Suspense fallback={<PanelSkeleton />}>
          <TagPanel selected={selectedTag} />
        </Suspense>
      </SidePanel>
    );
  if (panel === 'search')
    return (
      <SidePanel title={t('tour.results')} closeLabel={closeLabel} onClose={close}>
        <SearchResults />
      </SidePanel>
    );
  if (panel === 'places')
    return (
      <SidePanel title={t('tour.places')} closeLabel={closeLabel} onClose={close}>
        <NodeList />
      </SidePanel>
    );
  return null;
});
