import { useSearchParams } from 'react-router-dom';
import { Navigation, useService } from '#core/web';

type Changes = Readonly<Record<string, string | undefined>>;

export interface ImportParams {
  readonly get: (name: string) => string | null;
  /** Changes parameters of the URL. Empty parameters are removed. `push` pushes a history entry. */
  readonly set: (changes: Changes, options?: { readonly push?: boolean }) => void;
}

/** The choices on an import screen, which are parameters of the URL. */
export function useImportParams(): ImportParams {
  const navigation = useService(Navigation);
  const [searchParams, setSearchParams] = useSearchParams();
  return {
    get: (name) => searchParams.get(name),
    set: (changes, { push = false } = {}) => {
      // Two changes before the next render must not overwrite each other.
      const nextParams = new URLSearchParams(navigation.url.split('?')[1]);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined || value === '') nextParams.delete(name);
        else nextParams.set(name, value);
      }
      setSearchParams(nextParams, { replace: !push });
    },
  };
}
