/** Below this width, in pixels, the header shows only what fits a phone. */
export const phone = '(max-width: 639px)';
/** Below this width, in pixels, the admin menu is a drawer. */
export const compact = '(max-width: 1023px)';
