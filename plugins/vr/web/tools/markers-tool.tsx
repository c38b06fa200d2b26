import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { observer } from 'mobx-react-lite';
import { Button, Menu, MenuDivider, MenuItem, MenuList, MenuPopover, MenuTrigger, Tooltip } from '#core/ui';
import { Access, useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import type { MarkerShape } from '#plugins/vr';
import { MarkerPanel } from '../markers/marker-panel.tsx';
import { markerLayer, markerPanel, MarkerStore } from '../markers/marker-store.ts';
import { PlacingBar } from '../markers/placing-bar.tsx';
import { PanoramaChoices } from '../panorama/panorama-choices.ts';

/** Documents, areas and the like on the panorama: shown or hidden, listed, and for admins made. */
const MarkersTool = observer(function MarkersTool() {
  const t = useText();
  const choices = useService(PanoramaChoices);
  const store = useService(TourStore);
  const markers = useService(MarkerStore);
  const access = useService(Access);
  const place = useRef<HTMLSpanElement>(null);
  const [frame, setFrame] = useState<HTMLElement>();
  useEffect(() => setFrame(place.current?.closest<HTMLElement>('[role="toolbar"]')?.parentElement ?? undefined), []);
  useEffect(() => () => markers.cancel(), [markers]);
  const selected = store.layers[markerLayer];
  // Whoever comes by a link wants to read about what it names.
  useEffect(() => {
    if (selected !== undefined) store.setPanel(markerPanel);
  }, [store, selected]);
  const { showsMarkers } = choices;
  const location = store.currentNode?.location;
  const begin = (shape: MarkerShape): void => {
    if (location === undefined) return;
    store.setLayer(markerLayer, undefined);
    store.setPanel(undefined);
    choices.setShowsMarkers(true);
    markers.begin(shape, location);
  };
  return (
    <>
      <span ref={place} hidden />
      <Menu positioning="above">
        <MenuTrigger disableButtonEnhancement>
          <Tooltip content={t('vr.markers')} relationship="label">
            <Button
              size="large"
              appearance={markers.draft ? 'primary' : 'subtle'}
              icon={<MarkersIcon off={!showsMarkers} />}
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
                <MenuItem onClick={() => begin('POINT')}>{t('vr.markers.newPoint')}</MenuItem>
                <MenuItem onClick={() => begin('POLYGON')}>{t('vr.markers.newArea')}</MenuItem>
              </>
            ) : null}
          </MenuList>
        </MenuPopover>
      </Menu>
      {frame && markers.draft?.placing ? createPortal(<PlacingBar draft={markers.draft} />, frame) : null}
      {frame && (store.panel === markerPanel || (markers.draft && !markers.draft.placing))
        ? createPortal(<MarkerPanel />, frame)
        : null}
    </>
  );
});
export default MarkersTool;

function MarkersIcon({ off }: { readonly off: boolean }) {
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
      {off ? <path d="M3 3 17 17" /> : <path d="M9.8 8v0M9.8 10.2V13" strokeLinecap="round" />}
    </svg>
  );
}
