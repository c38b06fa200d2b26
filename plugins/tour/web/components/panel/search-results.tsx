import { observer } from 'mobx-react-lite';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { TagIcon } from '../icons.tsx';
import { NodeRow } from './node-list.tsx';
import { useRowStyles } from './use-row-styles.ts';
import { useTagHits } from './use-tag-hits.ts';

/** The nodes, tags and lines that match the search text. Choosing a result goes to its viewpoint. */
export const SearchResults = observer(function SearchResults({ onSelect }: { readonly onSelect: () => void }) {
  const styles = useRowStyles();
  const t = useText();
  const store = useService(TourStore);
  const text = store.searchText.trim();
  const { value, failure, running } = useTagHits(store.opened?.tour.location ?? '', text);
  const hits = text === '' || failure ? [] : (value ?? []);
  const nodes = text === '' ? [] : store.nodeList;
  const count = nodes.length + hits.length;
  const getMessage = (): string => {
    if (text === '') return t('tour.searchStart');
    if (failure) return t('tour.searchFailed');
    if (running || value === undefined) return '';
    return count === 0 ? t('tour.noResult') : t('tour.found', { count });
  };
  return (
    <>
      <p role="status" className={styles.heading}>
        {getMessage()}
      </p>
      {nodes.length === 0 ? null : (
        <section aria-label={t('tour.places')}>
          <h3 className={styles.heading}>{t('tour.places')}</h3>
          <ul className={styles.list}>
            {nodes.map((node) => (
              <li key={node.uid}>
                <NodeRow node={node} onSelect={onSelect} />
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
                  <span className={styles.text}>
                    <span>
                      <HighlightedText text={hit.number} part={text} />
                    </span>
                    <span className={styles.small}>
                      <HighlightedText text={hit.description} part={text} />
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
function HighlightedText({ text, part }: { readonly text: string; readonly part: string }) {
  const styles = useRowStyles();
  const start = text.toLowerCase().indexOf(part.toLowerCase());
  if (start < 0) return text;
  return (
    <>
      {text.slice(0, start)}
      <mark className={styles.mark}>{text.slice(start, start + part.length)}</mark>
      {text.slice(start + part.length)}
    </>
  );
}
