import { observer } from 'mobx-react-lite';
import { SidePanel } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import type { PanelName } from '../frame/tour-frame.tsx';
import { PlacesList } from './places-list.tsx';
import { SearchResults } from './search-results.tsx';
import { TagPanel } from './tag-panel.tsx';

export interface TourPanelProps {
  readonly panel: PanelName | undefined;
  readonly onPanel: (panel: PanelName | undefined) => void;
  readonly onClose: () => void;
}

/** The panel at the right, on a phone a sheet at the bottom: the selected tag, else the places or what was found. */
export const TourPanel = observer(function TourPanel({ panel, onPanel, onClose }: TourPanelProps) {
  const t = useText();
  const store = useService(TourStore);
  const { selectedTag } = store;
  const title = selectedTag?.number ?? t(panel === 'search' ? 'tour.results' : 'tour.places');
  return (
    <SidePanel
      title={title}
      closeLabel={t('tour.closePanel')}
      onClose={selectedTag && panel ? () => void store.selectTag(undefined) : onClose}
    >
      {selectedTag ? (
        <TagPanel selected={selectedTag} />
      ) : panel === 'search' ? (
        <SearchResults onChosen={() => onPanel(undefined)} />
      ) : (
        <PlacesList />
      )}
    </SidePanel>
  );
});
