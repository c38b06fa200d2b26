import { Fragment, useEffect, useRef, type ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, makeStyles, mergeClasses } from '#core/ui';
import { Contributed, useContributions, useService, useText } from '#core/web';
import { searchProviders, type SearchHit, type SearchProvider } from '#plugins/tour';
import { findMatches } from '../../stores/find-matches.ts';
import { LineSource, LocationSource, NodeSource, TagSource } from '../../stores/search-sources.ts';
import { toOptionId, TourSearch } from '../../stores/tour-search.ts';
import { RowPicture } from './row-picture.tsx';
import { useRowStyles } from './use-row-styles.ts';

// The list scrolls, because the search box outside of the list moves through the options by keyboard.
const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', height: '100%' },
  list: { flexGrow: 1, minHeight: 0, overflowY: 'auto' },
});

/** Id of the list of results, which the search box controls. */
export const searchListId = 'tour-search-results';

/** Declared in this file and not in the plugin's index, because the index is loaded before a tour is opened. */
const ownProviders: readonly SearchProvider[] = [
  { id: 'tour.searchedTags', order: 10, title: 'tour.tags', source: TagSource },
  { id: 'tour.searchedLines', order: 20, title: 'tour.lines', source: LineSource },
  { id: 'tour.searchedNodes', order: 30, title: 'tour.places', source: NodeSource },
  { id: 'tour.searchedLocations', order: 40, title: 'tour.locations', source: LocationSource },
];

/** The results of the search by group, or the recent texts. The focus stays in the search box. */
export const SearchResults = observer(function SearchResults() {
  const styles = useRowStyles();
  const ownStyles = useStyles();
  const t = useText();
  const search = useService(TourSearch);
  const getPosition = ({ id }: SearchProvider): number => search.sortedIds.indexOf(id);
  const providers = [...ownProviders, ...useContributions(searchProviders)].toSorted(
    (a, b) => getPosition(a) - getPosition(b) || a.order - b.order,
  );
  const failedProviders = search.text === '' ? [] : providers.filter(({ id }) => search.groups.get(id)?.failure);
  const getStatus = (): string => {
    if (search.text === '') return t('tour.searchStart');
    if (search.searching || search.groups.size === 0) return '';
    const count = search.options.length;
    if (count > 0) return t('tour.found', { count });
    return failedProviders.length > 0 ? '' : t('tour.noResult');
  };
  return (
    <div className={ownStyles.root}>
      <p role="status" className={styles.heading}>
        {getStatus()}
      </p>
      {failedProviders.length === 0 ? null : (
        <div role="alert" className={styles.heading}>
          <p>{t('tour.searchFailed', { groups: failedProviders.map(({ title }) => t(title)).join(', ') })}</p>
          <Button size="small" onClick={() => failedProviders.forEach(({ id }) => search.groups.get(id)?.retry())}>
            {t('core.tryAgain')}
          </Button>
        </div>
      )}
      <div role="listbox" id={searchListId} aria-label={t('tour.results')} className={ownStyles.list}>
        {search.text === '' ? <RecentTexts /> : null}
        {providers.map((provider) => (
          <Contributed key={provider.id} contribution={provider}>
            <Hits provider={provider} />
          </Contributed>
        ))}
      </div>
    </div>
  );
});

const RecentTexts = observer(function RecentTexts() {
  const t = useText();
  const search = useService(TourSearch);
  if (search.recentTexts.length === 0) return null;
  return (
    <OptionGroup title={t('tour.recentSearches')}>
      {search.recentTexts.map((text) => (
        <Option key={text} id={toOptionId('recent', text)}>
          {text}
        </Option>
      ))}
    </OptionGroup>
  );
});

/** Connects the provider's source to the search and lists its hits. */
const Hits = observer(function Hits({ provider }: { readonly provider: SearchProvider }) {
  const t = useText();
  const search = useService(TourSearch);
  const source = useService(provider.source);
  const { id, order, title } = provider;
  useEffect(() => {
    search.addSource(id, order, source);
    return () => search.removeSource(id);
  }, [search, source, id, order]);
  const hits = search.text === '' ? [] : (search.groups.get(id)?.hits ?? []);
  if (hits.length === 0) return null;
  return (
    <OptionGroup title={hits[0]?.similar ? t('tour.similar', { group: t(title) }) : t(title)}>
      {hits.map((hit) => (
        <Option key={hit.id} id={toOptionId(id, hit.id)}>
          <HitText hit={hit} searchText={search.text} />
        </Option>
      ))}
    </OptionGroup>
  );
});

function HitText({ hit, searchText }: { readonly hit: SearchHit; readonly searchText: string }) {
  const styles = useRowStyles();
  return (
    <>
      {hit.picture === undefined ? null : <RowPicture url={hit.picture} />}
      <span className={styles.text}>
        <span>
          <HighlightedText text={hit.title} searchText={searchText} />
        </span>
        {hit.detail === undefined ? null : (
          <span className={styles.small}>
            <HighlightedText text={hit.detail} searchText={searchText} />
          </span>
        )}
      </span>
    </>
  );
}

function OptionGroup({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const styles = useRowStyles();
  return (
    <div role="group" aria-label={title}>
      <div aria-hidden="true" className={styles.heading}>
        {title}
      </div>
      {children}
    </div>
  );
}

const Option = observer(function Option({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const styles = useRowStyles();
  const search = useService(TourSearch);
  const element = useRef<HTMLDivElement>(null);
  const isActive = search.active?.id === id;
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isActive]);
  return (
    // The search box handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={element}
      role="option"
      id={id}
      aria-selected={isActive}
      tabIndex={-1}
      className={mergeClasses(styles.row, isActive && styles.current)}
      onClick={() => search.options.find((option) => option.id === id)?.choose()}
    >
      {children}
    </div>
  );
});

/** Marks the parts of a text that match the search. */
function HighlightedText({ text, searchText }: { readonly text: string; readonly searchText: string }) {
  const styles = useRowStyles();
  const ranges = findMatches(text, searchText) ?? [];
  const ends = [0, ...ranges.map(([, end]) => end)];
  return (
    <>
      {ranges.map(([start, end], index) => (
        <Fragment key={start}>
          {text.slice(ends[index], start)}
          <mark className={styles.mark}>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}
