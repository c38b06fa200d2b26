import { useCallback } from 'react';
import type { ContentCheckResult } from '#core/api';
import { useFormatRefusal, useFormats } from '#core/web';

/** The id of a check's text in the catalogue of its plugin. */
const toMessage = (id: string): string => {
  const [owner = '', ...rest] = id.split('.');
  return `${owner}.check.${rest.join('.')}`;
};

/** Formats what a check found and how it is fixed. */
export function useDescribeCheck(): (check: Pick<ContentCheckResult, 'id' | 'count'>) => {
  readonly title: string;
  readonly hint: string;
} {
  const format = useFormatRefusal();
  const formats = useFormats();
  return useCallback(
    ({ id, count }) => {
      const describe = (message: string, fallback: string): string =>
        format({ message: fallback, refusal: { message, values: { count, shown: formats.number(count) } } }) ??
        fallback;
      return { title: describe(toMessage(id), id), hint: describe(`${toMessage(id)}.hint`, '') };
    },
    [format, formats],
  );
}
