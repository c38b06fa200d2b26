/** Makes the element of a cloud one that keys can reach, with words for who cannot see it. */
export function setHostPresentation(host: HTMLElement, label: string): void {
  host.tabIndex = 0;
  host.setAttribute('role', 'application');
  host.setAttribute('aria-label', label);
}
