import { toPointer } from '../../common/validators/index.ts';

const loneSurrogate = /\p{Cs}/u;

/** Whether PostgreSQL can store a text: no NUL, and no lone surrogate, which `jsonb` refuses. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && !loneSurrogate.test(text);

/**
 * Returns the JSON pointer of the first text or name in a JSON value that PostgreSQL cannot store. Recursive, so the
 * depth of the value must be limited.
 */
export function findUnstorableText(value: unknown, pointer = ''): string | undefined {
  if (typeof value === 'string') return isStorableText(value) ? undefined : pointer;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const memberPointer = pointer + toPointer(name);
    const unstorablePointer = isStorableText(name) ? findUnstorableText(member, memberPointer) : memberPointer;
    if (unstorablePointer !== undefined) return unstorablePointer;
  }
  return undefined;
}
