import { useCallback } from 'react';
import type { ContentCheckResult } from '#core/api';
import { useFormatRefusal, useFormats } from '#core/web';

/** Returns the message id of a check: `tour.equalTags` is described by `tour.check.equalTags`. */
const toMessageId = (id: string): string => {
  const [owner = '', ...rest] = id.split('.');
  return `${owner}.check.${rest.join('.')}`;
};

/** Returns a function that formats the result of a check and a hint for fixing it. */
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
      return { title: describe(toMessageId(id), id), hint: describe(`${toMessageId(id)}.hint`, '') };
    },
    [format, formats],
  );
}
