/** Link states of objects and tags. */
export const objectStates = ['ALL', 'LINKED', 'UNLINKED', 'MAPPED', 'UNKNOWN_TAG', 'TAG_WITHOUT_OBJECT'] as const;
export type ObjectState = (typeof objectStates)[number];
