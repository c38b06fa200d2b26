import { useState } from 'react';
import { readConflict } from './read-conflict.ts';

export interface Conflict<T> {
  /** The current record, if somebody else has changed it since the form was opened. */
  readonly theirs: T | undefined;
  /**
   * Saves on the latest known record. Resolves to false if another person has changed the record: the input stays, and
   * the next attempt replaces the current values.
   */
  attempt(save: (base: T) => Promise<void>): Promise<boolean>;
}

/** Lets a form keep its input if another person has changed the record. `record` is undefined for a new record. */
export function useConflict<T>(record: T): Conflict<T> {
  const [base, setBase] = useState(record);
  const [theirs, setTheirs] = useState<T>();
  return {
    theirs,
    attempt: async (save) => {
      try {
        await save(base);
        return true;
      } catch (cause) {
        const currentRecord = readConflict<T>(cause);
        if (!currentRecord || record === undefined) throw cause;
        setBase(currentRecord);
        setTheirs(currentRecord);
        return false;
      }
    },
  };
}
