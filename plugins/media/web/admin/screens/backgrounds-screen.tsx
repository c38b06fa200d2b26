import { observer } from 'mobx-react-lite';
import { useMemo, useState } from 'react';
import { PageTitle } from '#core/ui';
import { LastChangeLine, LastChangeStore, LocationChoice, useAdminStyles } from '#core/ui-data';
import { HttpClient, useChosenLocation, useService, useText } from '#core/web';
import { BackgroundsCard } from '../components/backgrounds-card.tsx';
import { BackgroundEditor, type BackgroundTarget } from '../stores/background-editor.ts';

/** Backgrounds of the login screen, of sites and of tours. */
const BackgroundsScreen = observer(function BackgroundsScreen() {
  const t = useText();
  const styles = useAdminStyles();
  const [lastChange] = useState(() => new LastChangeStore());
  const [location, chooseLocation] = useChosenLocation();
  const login = useEditor(lastChange, 'LOGIN');
  const site = useEditor(lastChange, 'LOCATION', location);
  const tour = useEditor(lastChange, 'TOUR', location);
  return (
    <>
      <PageTitle title={t('media.backgrounds.title')} hint={t('media.backgrounds.about')} />
      <LastChangeLine lastChange={lastChange} />
      <div className={styles.list}>
        {login ? <BackgroundsCard editor={login} title={t('media.backgrounds.of.LOGIN')} /> : null}
        {location ? (
          <div className={styles.choice}>
            <LocationChoice label={t('media.backgrounds.location')} value={location.uid} onChange={chooseLocation} />
          </div>
        ) : null}
        {site && location?.parent === null ? (
          <BackgroundsCard editor={site} title={t('media.backgrounds.of.LOCATION', { name: location.name })} />
        ) : null}
        {tour && location ? (
          <BackgroundsCard editor={tour} title={t('media.backgrounds.of.TOUR', { name: location.name })} />
        ) : null}
      </div>
    </>
  );
});
export default BackgroundsScreen;

function useEditor(
  lastChange: LastChangeStore,
  kind: BackgroundTarget['kind'],
  location?: { readonly uid: string; readonly name: string },
): BackgroundEditor | undefined {
  const http = useService(HttpClient);
  const { uid, name } = location ?? {};
  return useMemo(() => {
    if (kind === 'LOGIN') return new BackgroundEditor(http, lastChange, { kind });
    return uid === undefined || name === undefined
      ? undefined
      : new BackgroundEditor(http, lastChange, { kind, location: uid, name });
  }, [http, lastChange, kind, uid, name]);
}
