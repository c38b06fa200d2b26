export interface HeldKeysOptions {
  /** Whether the listener handles a key: `KeyboardEvent.key` in lower case. */
  readonly isHandled: (key: string) => boolean;
  /** Called with the held keys after each change. */
  readonly onChange: (heldKeys: ReadonlySet<string>, shift: boolean) => void;
  /** Called for the Home key. */
  readonly onHome?: (() => void) | undefined;
}

/** Listens to keys of an element and its descendants until they lose the focus. Returns the function that stops it. */
export function listenToHeldKeys(host: HTMLElement, { isHandled, onChange, onHome }: HeldKeysOptions): () => void {
  const heldKeys = new Set<string>();
  let shift = false;
  const handleDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.toLowerCase();
    if (key === 'home' && onHome) {
      event.preventDefault();
      return onHome();
    }
    if (!isHandled(key)) return;
    event.preventDefault();
    // Letters move the view and must not trigger shortcuts of the page.
    if (/^[a-z]$/.test(key)) event.stopPropagation();
    if (heldKeys.has(key) && shift === event.shiftKey) return;
    shift = event.shiftKey;
    heldKeys.add(key);
    onChange(heldKeys, shift);
  };
  const handleUp = (event: KeyboardEvent): void => {
    shift = event.shiftKey;
    if (heldKeys.delete(event.key.toLowerCase()) || event.key === 'Shift') onChange(heldKeys, shift);
  };
  const releaseAll = (): void => {
    if (heldKeys.size === 0) return;
    heldKeys.clear();
    onChange(heldKeys, shift);
  };
  /** Keeps the keys if the focus moves to the host or a descendant, such as when a focused pin leaves the view. */
  const handleBlur = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && host.contains(relatedTarget))) releaseAll();
  };
  const abort = new AbortController();
  const { signal } = abort;
  host.addEventListener('keydown', handleDown, { signal });
  host.addEventListener('keyup', handleUp, { signal });
  host.addEventListener('focusout', handleBlur, { signal });
  return () => {
    abort.abort();
    releaseAll();
  };
}
