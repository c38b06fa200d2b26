import { observer } from 'mobx-react-lite';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { TagIcon } from '../icons.tsx';
import { PlaceRow } from './places-list.tsx';
import { useRowStyles } from './use-row-styles.ts';
import { useTagHits } from './use-tag-hits.ts';

/** Results for the search text: nodes of the tour, then tags and lines. Choosing one goes there. */
export const SearchResults = observer(function SearchResults({ onChosen }: { readonly onChosen: () => void }) {
  const styles = useRowStyles();
  const t = useText();
  const store = useService(TourStore);
  const text = store.searchText.trim();
  const { value, failure, running } = useTagHits(store.opened?.tour.location ?? '', text);
  const hits = text === '' || failure ? [] : (value ?? []);
  const places = text === '' ? [] : store.nodeList;
  const count = places.length + hits.length;
  const message =
    text === ''
      ? t('tour.searchStart')
      : failure
        ? t('tour.searchFailed')
        : running || value === undefined
          ? ''
          : count === 0
            ? t('tour.noResult')
            : t('tour.found', { count });
  return (
    <>
      <p role="status" className={styles.heading}>
        {message}
      </p>
      {places.length === 0 ? null : (
        <section aria-label={t('tour.places')}>
          <h3 className={styles.heading}>{t('tour.places')}</h3>
          <ul className={styles.list}>
            {places.map((node) => (
              <li key={node.uid}>
                <PlaceRow node={node} onChosen={onChosen} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {hits.length === 0 ? null : (
        <section aria-label={t('tour.tags')}>
          <h3 className={styles.heading}>{t('tour.tags')}</h3>
          <ul className={styles.list}>
            {hits.map((hit) => (
              <li key={hit.number}>
                <button type="button" className={styles.row} onClick={() => void store.goToTag(hit.number)}>
                  <TagIcon />
                  <span className={styles.words}>
                    <span>
                      <Marked text={hit.number} part={text} />
                    </span>
                    <span className={styles.small}>
                      <Marked text={hit.description} part={text} />
                    </span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
});

/** Highlights the first occurrence of `part`. */
function Marked({ text, part }: { readonly text: string; readonly part: string }) {
  const styles = useRowStyles();
  const at = text.toLowerCase().indexOf(part.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark className={styles.mark}>{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  );
}
