import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { personColumns } from '#core';
import type { PersonFilter } from '#core/api';
import type { DataTableSort } from '#core/ui-data';
import { Navigation, useService } from '#core/web';

const statuses = ['ACTIVE', 'INACTIVE'] as const;

export interface UserFilter {
  readonly text: string;
  readonly status: (typeof statuses)[number] | undefined;
  readonly role: string;
  readonly sort: DataTableSort;
  /** Query for the server. Its identity is stable while the URL does not change. */
  readonly query: Omit<PersonFilter, 'offset' | 'limit'>;
  readonly set: (values: Readonly<Record<string, string>>) => void;
}

/** Filter and order of the list, stored in the URL. */
export function useUserFilter(): UserFilter {
  const [searchParams, setSearchParams] = useSearchParams();
  const navigation = useService(Navigation);
  const text = searchParams.get('search') ?? '';
  const role = searchParams.get('role') ?? '';
  const status = statuses.find((option) => option === searchParams.get('status'));
  const column = personColumns.find((option) => option === searchParams.get('sort')) ?? 'name';
  const direction: DataTableSort['direction'] =
    searchParams.get('direction') === 'descending' ? 'descending' : 'ascending';
  const query = useMemo(
    () => ({
      ...(text.trim() === '' ? {} : { text: text.trim() }),
      ...(status === undefined ? {} : { status }),
      ...(role === '' ? {} : { role }),
      sort: column,
      direction,
    }),
    [text, status, role, column, direction],
  );
  return {
    text,
    status,
    role,
    sort: useMemo(() => ({ column, direction }), [column, direction]),
    query,
    set: (values) => {
      // `searchParams` may be outdated while a transition is pending, so the current URL is read.
      const newParams = new URLSearchParams(navigation.url.split('?')[1] ?? '');
      for (const [name, value] of Object.entries(values))
        if (value === '') newParams.delete(name);
        else newParams.set(name, value);
      setSearchParams(newParams, { replace: true });
    },
  };
}
