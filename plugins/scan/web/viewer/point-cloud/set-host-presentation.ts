/** Makes the host element focusable and gives it an accessible name. */
export function setHostPresentation(host: HTMLElement, label: string): void {
  host.tabIndex = 0;
  host.setAttribute('role', 'application');
  host.setAttribute('aria-label', label);
}
