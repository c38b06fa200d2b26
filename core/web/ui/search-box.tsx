import { SearchBox as FluentSearchBox, type SearchBoxProps } from '@fluentui/react-components';
import { useText } from '../i18n/use-text.ts';

/** Fluent's search box. Its button that clears the text has a name in the person's language. */
export function SearchBox(props: SearchBoxProps) {
  const t = useText();
  return <FluentSearchBox dismiss={{ 'aria-label': t('core.clearSearch') }} {...props} />;
}
