import { useState } from 'react';
import { personColumns, type PersonColumn } from '#core';
import { BrowserStorage, Session, useService } from '#core/web';

const defaultColumns: readonly PersonColumn[] = ['name', 'username', 'status', 'userType', 'roles', 'createdAt'];

/** The columns that this person has chosen in this browser, in the order of `personColumns`. Always includes the name. */
export function useChosenColumns(): readonly [readonly PersonColumn[], (columns: readonly string[]) => void] {
  const storage = useService(BrowserStorage);
  const key = `users.columns.${useService(Session).me?.uid ?? ''}`;
  const [chosen, setChosen] = useState(() => toColumns(storage.get<unknown>(key)) ?? defaultColumns);
  return [
    chosen,
    (columns) => {
      const newColumns = toColumns(columns) ?? defaultColumns;
      storage.set(key, newColumns);
      setChosen(newColumns);
    },
  ];
}

function toColumns(storedValue: unknown): readonly PersonColumn[] | undefined {
  if (!Array.isArray(storedValue)) return undefined;
  return personColumns.filter((column) => column === 'name' || storedValue.includes(column));
}
