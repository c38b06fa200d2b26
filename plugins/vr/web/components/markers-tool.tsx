import { useEffect } from 'react';
import { observer } from 'mobx-react-lite';
import {
  Button,
  Menu,
  MenuDivider,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
  Tooltip,
  useTooltipVisibility,
} from '#core/ui';
import { Access, useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { markerPanel } from '#plugins/vr';
import type { MarkerShape } from '#plugins/vr';
import { markerLayer, MarkerStore } from '../markers/stores/marker-store.ts';
import { PlacingBar } from '../markers/components/placing-bar.tsx';
import { PanoramaChoices } from '../stores/panorama-choices.ts';

/** Shows, hides and lists the markers of the panorama. Admins create markers here. */
const MarkersTool = observer(function MarkersTool() {
  const t = useText();
  const choices = useService(PanoramaChoices);
  const store = useService(TourStore);
  const markers = useService(MarkerStore);
  const access = useService(Access);
  useEffect(() => () => markers.cancel(), [markers]);
  const selectedUid = store.layers[markerLayer];
  // Opens the panel if the URL selects a marker.
  useEffect(() => {
    if (selectedUid !== undefined) store.setPanel(markerPanel);
  }, [store, selectedUid]);
  const { showsMarkers } = choices;
  const location = store.currentNode?.location;
  const tooltipVisibility = useTooltipVisibility();
  const startDraft = (shape: MarkerShape): void => {
    if (location === undefined) return;
    store.setLayer(markerLayer, undefined);
    store.setPanel(undefined);
    choices.setShowsMarkers(true);
    markers.startDraft(shape, location);
  };
  return (
    <Menu positioning="above">
      <MenuTrigger disableButtonEnhancement>
        <Tooltip content={t('vr.markers')} relationship="label" {...tooltipVisibility}>
          <Button
            size="large"
            appearance={markers.draft ? 'primary' : 'subtle'}
            icon={<MarkersIcon crossedOut={!showsMarkers} />}
          />
        </Tooltip>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          <MenuItem onClick={() => choices.setShowsMarkers(!showsMarkers)}>
            {t(showsMarkers ? 'vr.markers.hide' : 'vr.markers.show')}
          </MenuItem>
          <MenuItem onClick={() => store.setPanel(markerPanel)}>{t('vr.markers.list')}</MenuItem>
          {access.has('configure') ? (
            <>
              <MenuDivider />
              <MenuItem onClick={() => startDraft('POINT')}>{t('vr.markers.newPoint')}</MenuItem>
              <MenuItem onClick={() => startDraft('POLYGON')}>{t('vr.markers.newArea')}</MenuItem>
            </>
          ) : null}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
});
export default MarkersTool;

/** Shows the bar of a draft while a person sets its points on the panorama. */
export const PlacingOverlay = observer(function PlacingOverlay() {
  const { draft } = useService(MarkerStore);
  const store = useService(TourStore);
  const isHidden = draft?.isPlacing === false && store.panel === undefined;
  // Opens the panel again if a person closes it while a marker is edited.
  useEffect(() => {
    if (isHidden) store.setPanel(markerPanel);
  }, [store, isHidden]);
  return draft?.isPlacing ? <PlacingBar draft={draft} /> : null;
});

function MarkersIcon({ crossedOut }: { readonly crossedOut: boolean }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M4 6.5 11 4l5.5 5-3 7-8-1.5Z" />
      {crossedOut ? <path d="M3 3 17 17" /> : <path d="M9.8 8v0M9.8 10.2V13" strokeLinecap="round" />}
    </svg>
  );
}
