export interface HeldKeysOptions {
  /** `key` is `KeyboardEvent.key` in lower case. */
  readonly isTaken: (key: string) => boolean;
  /** Called with the held keys after each change. */
  readonly changed: (held: ReadonlySet<string>, shift: boolean) => void;
  /** Called for the Home key. */
  readonly home?: (() => void) | undefined;
}

/** Listens to keys of an element and its descendants until they lose the focus. Returns the function that stops it. */
export function listenToHeldKeys(host: HTMLElement, { isTaken, changed, home }: HeldKeysOptions): () => void {
  const held = new Set<string>();
  let shift = false;
  const onDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.toLowerCase();
    if (key === 'home' && home) {
      event.preventDefault();
      return home();
    }
    if (!isTaken(key)) return;
    event.preventDefault();
    // Letters move the view here and must not trigger the page's shortcuts.
    if (/^[a-z]$/.test(key)) event.stopPropagation();
    if (held.has(key) && shift === event.shiftKey) return;
    shift = event.shiftKey;
    held.add(key);
    changed(held, shift);
  };
  const onUp = (event: KeyboardEvent): void => {
    shift = event.shiftKey;
    if (held.delete(event.key.toLowerCase()) || event.key === 'Shift') changed(held, shift);
  };
  const release = (): void => {
    if (held.size === 0) return;
    held.clear();
    changed(held, shift);
  };
  /** A pin that turns out of sight passes the focus to the host while the key is held. */
  const onBlur = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && host.contains(relatedTarget))) release();
  };
  const ends = new AbortController();
  const { signal } = ends;
  host.addEventListener('keydown', onDown, { signal });
  host.addEventListener('keyup', onUp, { signal });
  host.addEventListener('focusout', onBlur, { signal });
  return () => {
    ends.abort();
    release();
  };
}
