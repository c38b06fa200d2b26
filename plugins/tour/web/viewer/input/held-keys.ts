/** A shorter press counts as this long, in milliseconds. On-screen keyboards and switches release a key at once. */
const minPressMs = 100;

export interface HeldKeysOptions {
  /** Returns true for keys that the listener handles. `key` is `KeyboardEvent.key` in lower case. */
  readonly isHandled: (key: string) => boolean;
  /** Called with the held keys after each change. */
  readonly onChange: (heldKeys: ReadonlySet<string>, shift: boolean) => void;
  /** Called for the Home key. */
  readonly onHome?: (() => void) | undefined;
}

/** Listens to keys of an element and its descendants until they lose the focus. Returns the function that stops it. */
export function listenToHeldKeys(host: HTMLElement, { isHandled, onChange, onHome }: HeldKeysOptions): () => void {
  const heldKeys = new Set<string>();
  const pressedAt = new Map<string, number>();
  const releaseTimers = new Map<string, ReturnType<typeof setTimeout>>();
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
    clearTimeout(releaseTimers.get(key));
    if (!event.repeat) pressedAt.set(key, event.timeStamp);
    if (heldKeys.has(key) && shift === event.shiftKey) return;
    shift = event.shiftKey;
    heldKeys.add(key);
    onChange(heldKeys, shift);
  };
  const handleUp = (event: KeyboardEvent): void => {
    shift = event.shiftKey;
    const key = event.key.toLowerCase();
    if (key === 'shift') return onChange(heldKeys, shift);
    const release = (): void => {
      if (heldKeys.delete(key)) onChange(heldKeys, shift);
    };
    const remainingMs = minPressMs - (event.timeStamp - (pressedAt.get(key) ?? 0));
    if (remainingMs <= 0) release();
    else releaseTimers.set(key, setTimeout(release, remainingMs));
  };
  const releaseAll = (): void => {
    for (const timer of releaseTimers.values()) clearTimeout(timer);
    if (heldKeys.size === 0) return;
    heldKeys.clear();
    onChange(heldKeys, shift);
  };
  /** Keys stay held if the focus moves to the host or a descendant, such as when a focused pin leaves the view. */
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
