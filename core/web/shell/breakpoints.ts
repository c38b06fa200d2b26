/** Under this width the header keeps only what fits a phone. */
export const phone = '(max-width: 639px)';
/** Under this width the admin menu is a drawer. */
export const compact = '(max-width: 1023px)';
