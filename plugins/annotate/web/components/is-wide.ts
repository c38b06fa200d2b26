/** Whether the window is wide enough for a list next to the picture. On a phone the list would cover it. */
export const isWide = (): boolean => !window.matchMedia('(max-width: 639px)').matches;
