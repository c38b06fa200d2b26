/** How objects of models are linked to the tags of the site. */
export const objectStates = ['ALL', 'LINKED', 'UNLINKED', 'MAPPED', 'UNKNOWN_TAG', 'TAG_WITHOUT_OBJECT'] as const;
export type ObjectState = (typeof objectStates)[number];
