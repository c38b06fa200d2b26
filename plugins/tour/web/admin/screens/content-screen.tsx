import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { LoadingState, MessageBar, MessageBarBody, PageTitle } from '#core/ui';
import { AtLocation, LastChangeLine, LastChangeStore, LocationChoice, useAdminStyles } from '#core/ui-data';
import { HttpClient, UnsavedWork, useChosenLocation, useResource, useService, useText } from '#core/web';
import type { getTourContent } from '../../../contract/api/tour-content.ts';
import { DecksCard } from '../components/decks/decks-card.tsx';
import { ToursCard } from '../components/tours/tours-card.tsx';
import { ViewpointsCard } from '../components/viewpoints/viewpoints-card.tsx';
import { ContentMutations } from '../stores/content-mutations.ts';
import { useSiteLengths } from '../stores/site-lengths.ts';
import { ViewpointEditor } from '../stores/viewpoint-editor.ts';

const AlignmentView = lazy(async () => ({ default: (await import('../components/site-views.ts')).AlignmentView }));

/** Edits the decks, tours, viewpoints and links of a location. */
const ContentScreen = observer(function ContentScreen() {
  const styles = useAdminStyles();
  const t = useText();
  const http = useService(HttpClient);
  const unsavedWork = useService(UnsavedWork);
  const [location, setLocation] = useChosenLocation();
  const [lastChange] = useState(() => new LastChangeStore());
  const uid = location?.uid;
  const content = useResource(
    (signal) =>
      uid === undefined
        ? undefined
        : http.call<typeof getTourContent>(
            'GET',
            '/api/tour-content/:location',
            { params: { location: uid } },
            { signal },
          ),
    [http, uid],
  );
  // An undo at one location may end after the person has chosen another location. It then reloads the shown content.
  const currentContent = useRef(content);
  useEffect(() => {
    currentContent.current = content;
  }, [content]);
  const mutations = useMemo(
    () => new ContentMutations(http, lastChange, () => currentContent.current.load()),
    [http, lastChange],
  );
  const editor = useMemo(() => new ViewpointEditor(content, mutations, uid ?? ''), [content, mutations, uid]);
  const [alignedUid, setAlignedUid] = useState<string>();
  const lengths = useSiteLengths(uid);
  const alignedNode = content.value?.nodes.find((node) => node.uid === alignedUid);
  const chooseLocation = async (next: string): Promise<void> => {
    if (await unsavedWork.confirmLeave()) setLocation(next);
  };
  if (alignedNode && content.value && uid !== undefined)
    return (
      <Suspense fallback={<LoadingState label={t('tour.loading')} />}>
        <AlignmentView
          node={alignedNode}
          content={content.value}
          location={uid}
          mutations={mutations}
          lengths={lengths}
          onClose={() => setAlignedUid(undefined)}
        />
      </Suspense>
    );
  return (
    <>
      <PageTitle title={t('tour.content')} hint={t('tour.content.hint')} />
      {uid === undefined ? null : (
        <div className={styles.bar}>
          <div className={styles.choice}>
            <LocationChoice
              label={t('tour.panoramas.location')}
              value={uid}
              onChange={(next) => void chooseLocation(next)}
            />
          </div>
        </div>
      )}
      <LastChangeLine lastChange={lastChange} />
      <AtLocation
        location={location}
        resource={content}
        noAccessTo={{ title: t('tour.content.noAccess'), accessToRequest: 'anyLocation' }}
        noLocation={{ title: t('tour.panoramas.noLocation'), message: t('tour.content.noLocationHint') }}
      >
        {(value, shownLocation) => (
          <div className={styles.list}>
            {value.decks.length + value.tours.length + value.nodes.length === 0 ? (
              <MessageBar intent="info" layout="multiline">
                <MessageBarBody>{t('tour.content.first', { name: shownLocation.name })}</MessageBarBody>
              </MessageBar>
            ) : null}
            <DecksCard content={value} location={shownLocation} mutations={mutations} />
            <ToursCard content={value} location={shownLocation} mutations={mutations} />
            <ViewpointsCard content={value} editor={editor} onAlign={setAlignedUid} />
          </div>
        )}
      </AtLocation>
    </>
  );
});
export default ContentScreen;
