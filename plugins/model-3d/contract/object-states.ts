/** How objects of models stand to the tags of the tour. */
export const objectStates = ['ALL', 'TIED', 'UNTIED', 'BY_HAND', 'UNKNOWN_TAG', 'TAG_WITHOUT_OBJECT'] as const;
export type ObjectState = (typeof objectStates)[number];
