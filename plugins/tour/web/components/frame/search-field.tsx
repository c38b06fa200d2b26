import { useEffect, type KeyboardEvent, type RefObject } from 'react';
import { observer } from 'mobx-react-lite';
import { SearchBox } from '#core/ui';
import { useService, useText } from '#core/web';
import { TourStore } from '#plugins/tour';
import { searchPanel, TourSearch } from '../../stores/tour-search.ts';
import { searchListId } from '../panel/search-results.tsx';

/** Number of options that Page Up and Page Down skip. */
const optionsPerPage = 10;

export interface SearchFieldProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly className: string;
  /** Focuses the box when it appears. */
  readonly takesFocus: boolean;
}

/** The search box: a combobox whose list is the panel of the results (WAI-ARIA, "Combobox Pattern"). */
export const SearchField = observer(function SearchField({ input, className, takesFocus }: SearchFieldProps) {
  const t = useText();
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [input, takesFocus]);
  const store = useService(TourStore);
  const search = useService(TourSearch);
  const isOpen = store.panel === searchPanel;
  const handleKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    // While an input method composes a character, it handles Enter and arrow keys.
    if (event.nativeEvent.isComposing) return;
    const stepCount = { ArrowDown: 1, ArrowUp: -1, PageDown: optionsPerPage, PageUp: -optionsPerPage }[event.key];
    if (stepCount === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (!isOpen) store.setPanel(searchPanel);
    else if (stepCount === undefined) void search.chooseActive();
    else search.move(stepCount);
  };
  return (
    <SearchBox
      input={{
        ref: input,
        role: 'combobox',
        'aria-expanded': isOpen,
        'aria-controls': searchListId,
        'aria-autocomplete': 'list',
        'aria-activedescendant': isOpen ? search.active?.id : undefined,
      }}
      className={className}
      aria-label={t('tour.search')}
      placeholder={t('tour.searchHint')}
      value={store.searchText}
      onClick={() => store.setPanel(searchPanel)}
      onKeyDown={handleKeyDown}
      onChange={(_, { value }) => search.search(value)}
    />
  );
});
