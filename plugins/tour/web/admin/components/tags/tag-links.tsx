import { observer } from 'mobx-react-lite';
import { useCallback, useState } from 'react';
import { Link } from 'react-router-dom';
import type { LocationNode } from '#core';
import { Button, makeStyles, MessageBar, MessageBarBody, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { HttpClient, Navigation, useFormatFailure, useService, useText } from '#core/web';
import { tourView } from '#plugins/tour';
import type { listContentDocuments } from '../../../../contract/api/document-content.ts';
import type { ContentTagDetails, ContentTagView } from '../../../../contract/api/tag-content.ts';
import { useSiteLengths } from '../../stores/site-lengths.ts';
import type { TagAndDocumentMutations } from '../../stores/tag-and-document-mutations.ts';
import { useSearchLocation } from '../../stores/use-search-location.ts';
import { ViewFacts } from './views-preview.tsx';
import { SearchCombobox, type SearchComboboxOption } from '../search-combobox.tsx';

/** Vertical field of view of links to a tag, degrees. */
const tagFov = '50';
/** The drawer lists only the best views. */
const maxShownViews = 8;

const useStyles = makeStyles({
  row: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM, minWidth: 0 },
  link: {
    color: tokens.colorBrandForegroundLink,
    minHeight: '32px',
    display: 'flex',
    alignItems: 'center',
    '@media (pointer: coarse)': { minHeight: '44px' },
  },
});

export interface TagLinksProps {
  readonly details: ContentTagDetails;
  readonly location: LocationNode;
  readonly mutations: TagAndDocumentMutations;
  /** Undefined while there is unsaved input, which placing would discard. */
  readonly onPlace: (() => void) | undefined;
  readonly onChanged: () => Promise<void>;
}

/** Shows the position of a tag, the viewpoints that see it, and its documents. */
export const TagLinks = observer(function TagLinks({
  details,
  location,
  mutations,
  onPlace,
  onChanged,
}: TagLinksProps) {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const lengths = useSiteLengths(details.location);
  const [allShown, setAllShown] = useState(false);
  const { position, seenFrom, hasCourse } = details;
  const views = allShown ? seenFrom : seenFrom.slice(0, maxShownViews);
  return (
    <>
      <fieldset className={styles.fieldset}>
        <legend className={styles.legend}>{t('tour.tag.position')}</legend>
        <div className={styles.row}>
          <span className={styles.grow}>
            {position
              ? t('tour.tags.positionValue', {
                  x: lengths.coordinate(position[0]),
                  y: lengths.coordinate(position[1]),
                  z: lengths.coordinate(position[2]),
                  unit: lengths.symbol,
                })
              : t(hasCourse ? 'tour.tags.course' : 'tour.tags.unplaced')}
          </span>
          <Button disabled={!onPlace} onClick={onPlace}>
            {t('tour.tags.place')}
          </Button>
        </div>
        {onPlace ? null : <p className={styles.note}>{t('tour.tags.saveFirst')}</p>}
      </fieldset>
      <fieldset className={styles.fieldset}>
        <legend className={styles.legend}>{t('tour.tags.seenFrom')}</legend>
        {details.viewsPending ? <p className={styles.note}>{t('tour.tag.viewsPending')}</p> : null}
        {seenFrom.length === 0 ? (
          details.viewsPending ? null : (
            <p className={styles.note}>
              {t(position ? 'tour.tags.notSeen' : hasCourse ? 'tour.tags.notSeenCourse' : 'tour.tags.notSeenUnplaced')}
            </p>
          )
        ) : (
          <ul className={styles.list}>
            {views.map((view) => (
              <li key={view.node}>
                <SeenFrom view={view} number={details.number} />
              </li>
            ))}
          </ul>
        )}
        {views.length < seenFrom.length ? (
          <Button onClick={() => setAllShown(true)}>
            {t('tour.panoramas.more', { count: seenFrom.length - views.length })}
          </Button>
        ) : null}
      </fieldset>
      <LinkedDocuments details={details} location={location} mutations={mutations} onChanged={onChanged} />
    </>
  );
});

function SeenFrom({ view, number }: { readonly view: ContentTagView; readonly number: string }) {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const tourUrl = useService(Navigation).linkTo(tourView, { location: view.location });
  const { code, name, pan, tilt } = view;
  return (
    <div className={styles.row}>
      <div className={styles.grow}>
        <div>{name}</div>
        <ViewFacts view={view} location={view.location} />
      </div>
      {tourUrl === undefined ? null : (
        <Link
          className={styles.link}
          to={`${tourUrl}?${new URLSearchParams({ node: code, tag: number, pan: pan.toFixed(1), tilt: tilt.toFixed(1), fov: tagFov }).toString()}`}
          target="_blank"
          aria-label={t('tour.tags.lookOne', { name })}
        >
          {t('tour.tags.look')}
        </Link>
      )}
    </div>
  );
}

/** Links and unlinks documents. Each change is saved immediately and can be undone. */
function LinkedDocuments({ details, location, mutations, onChanged }: Omit<TagLinksProps, 'onPlace'>) {
  const styles = { ...useAdminStyles(), ...useStyles() };
  const t = useText();
  const http = useService(HttpClient);
  const formatFailure = useFormatFailure();
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const { uid, linkedDocuments } = details;
  const change = async (send: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await send();
      await onChanged();
    } catch (cause) {
      setFailure(cause);
    } finally {
      setBusy(false);
    }
  };
  const searchLocation = useSearchLocation(location);
  const find = useCallback(
    async (text: string, signal: AbortSignal): Promise<readonly SearchComboboxOption[]> => {
      const { rows } = await http.call<typeof listContentDocuments>(
        'GET',
        '/api/document-content/:location',
        { params: { location: searchLocation }, query: { text, limit: 20 } },
        { signal },
      );
      return rows.map((row) => ({ uid: row.uid, name: row.code, details: row.title }));
    },
    [http, searchLocation],
  );
  return (
    <fieldset className={styles.fieldset}>
      <legend className={styles.legend}>{t('tour.documents.title')}</legend>
      <div role="alert">
        {failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
          </MessageBar>
        )}
      </div>
      <ul className={styles.list}>
        {linkedDocuments.map((document) => (
          <li key={document.uid} className={styles.row}>
            <span className={styles.grow}>
              {t('tour.content.codeAndName', { code: document.code, name: document.title })}
            </span>
            <Button
              disabled={busy}
              aria-label={t('tour.tags.unlinkOne', { code: document.code })}
              onClick={() => void change(() => mutations.unlinkDocument(uid, document))}
            >
              {t('tour.tags.unlink')}
            </Button>
          </li>
        ))}
      </ul>
      <SearchCombobox
        label={t('tour.tags.linkDocument')}
        value={undefined}
        clearsAfterChoice
        disabled={busy}
        find={find}
        onChange={(option) => {
          if (option) void change(() => mutations.linkDocument(uid, { uid: option.uid, code: option.name }));
        }}
      />
    </fieldset>
  );
}
