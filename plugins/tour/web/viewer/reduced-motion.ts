/** True if the system setting for reduced motion is on. */
export function hasReducedMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
