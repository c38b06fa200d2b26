import { useState } from 'react';

/**
 * Keeps the person's answer to a question about a list that was read from a file. Undefined if the person has not
 * answered for this list of this file: an answer no longer counts when the columns or the unit change the list.
 */
export function useAnswer<T>(
  file: File | undefined,
  list: readonly unknown[],
): readonly [answer: T | undefined, setAnswer: (value: T | undefined) => void] {
  const [answer, setAnswer] = useState<{
    readonly file: File | undefined;
    readonly key: string;
    readonly value: T | undefined;
  }>();
  const key = JSON.stringify(list);
  const isCurrent = answer?.file === file && answer?.key === key;
  return [isCurrent ? answer?.value : undefined, (value) => setAnswer({ file, key, value })];
}
