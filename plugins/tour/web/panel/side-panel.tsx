import { observer } from 'mobx-react-lite';
import { Button, makeStyles, mergeClasses, tokens, Tooltip } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { CloseIcon } from '../frame/icons.tsx';
import type { PanelName } from '../frame/tour-frame.tsx';
import { phone, useGlass } from '../frame/use-glass.ts';
import { PlacesList } from './places-list.tsx';
import { SearchResults } from './search-results.tsx';
import { TagPanel } from './tag-panel.tsx';

const useStyles = makeStyles({
  panel: {
    position: 'absolute',
    top: '56px',
    right: '8px',
    bottom: '8px',
    width: '360px',
    display: 'flex',
    flexDirection: 'column',
    overflow: 'hidden',
    [phone]: { left: 0, right: 0, top: 'auto', bottom: '56px', width: 'auto', height: '36%', borderBottomLeftRadius: 0, borderBottomRightRadius: 0 },
  },
  head: { display: 'flex', alignItems: 'center', gap: '8px', padding: '8px 8px 8px 16px' },
  title: { margin: 0, flexGrow: 1, minWidth: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400, fontWeight: tokens.fontWeightSemibold, overflowWrap: 'anywhere' },
  body: { overflowY: 'auto', flexGrow: 1, padding: '0 8px 8px' },
});

export interface SidePanelProps {
  readonly panel: PanelName | undefined;
  readonly onPanel: (panel: PanelName | undefined) => void;
  readonly onClose: () => void;
}

/** The panel at the right, on a phone a sheet at the bottom: the selected tag, else the places or what was found. */
export const SidePanel = observer(function SidePanel({ panel, onPanel, onClose }: SidePanelProps) {
  const styles = useStyles();
  const glass = useGlass();
  const t = useText();
  const store = useService(TourStore);
  const { selectedTag } = store;
  const title = selectedTag?.number ?? t(panel === 'search' ? 'tour.results' : 'tour.places');
  return (
    <aside aria-label={title} className={mergeClasses(glass.glass, glass.rounded, styles.panel)}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <Tooltip content={t('tour.closePanel')} relationship="label">
          <Button appearance="subtle" icon={<CloseIcon />} onClick={selectedTag && panel ? () => void store.selectTag(undefined) : onClose} />
        </Tooltip>
      </div>
      <div className={styles.body}>
        {selectedTag ? <TagPanel selected={selectedTag} /> : panel === 'search' ? <SearchResults onChosen={() => onPanel(undefined)} /> : <PlacesList />}
      </div>
    </aside>
  );
});
