/** Marks the empty elements by which Fluent's focus library detects that the focus enters or leaves a group. */
const helperAttribute = 'data-tabster-dummy';

/**
 * Makes these elements focusable only while Tab is pressed, when the library needs them. They are aria-hidden, and
 * WCAG 4.1.2 forbids focusable hidden elements. Returns a function that stops observing.
 */
export function watchFocusHelpers(document: Document): () => void {
  const window = document.defaultView;
  if (window === null) return () => undefined;
  let tabPressed = false;
  const updateHelpers = () => {
    for (const helper of document.querySelectorAll<HTMLElement>(`[${helperAttribute}]`))
      helper.setAttribute('tabindex', String(tabPressed ? helper.tabIndex : -1));
  };
  const watchHelper = (node: Node) => {
    if (!(node instanceof HTMLElement) || !node.hasAttribute(helperAttribute) || Object.hasOwn(node, 'tabIndex'))
      return;
    // The property stores the value that the library sets. The attribute has the effective value.
    let tabIndex = node.tabIndex;
    Object.defineProperty(node, 'tabIndex', {
      configurable: true,
      get: () => tabIndex,
      set: (value: number) => {
        tabIndex = value;
        node.setAttribute('tabindex', String(tabPressed ? value : -1));
      },
    });
    node.setAttribute('tabindex', String(tabPressed ? tabIndex : -1));
  };
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) watchHelper(node);
  });
  const handleKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Tab') return;
    tabPressed = true;
    updateHelpers();
    // The browser moves the focus after all key listeners ran, before the next task.
    window.setTimeout(() => {
      tabPressed = false;
      updateHelpers();
    });
  };
  for (const node of document.querySelectorAll(`[${helperAttribute}]`)) watchHelper(node);
  observer.observe(document.body, { childList: true, subtree: true });
  window.addEventListener('keydown', handleKeyDown, true);
  return () => {
    observer.disconnect();
    window.removeEventListener('keydown', handleKeyDown, true);
  };
}
