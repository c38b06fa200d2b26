import { useState } from 'react';

/**
 * An answer of the person to a list of a file. Undefined, if the person has not answered this list of this file: after
 * a change of the columns or the unit, the answers to former lists do not count.
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
