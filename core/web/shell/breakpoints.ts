/** Matches a window so narrow that the header shows only the controls that fit a phone. */
export const phoneQuery = '(max-width: 639px)';
/** Matches a window so narrow that the admin menu is a drawer. */
export const compactQuery = '(max-width: 1023px)';
