/** Whether a list beside the picture leaves enough of it; on a phone it would cover what one works in. */
export const isWide = (): boolean => !window.matchMedia('(max-width: 639px)').matches;
