/**
 * How Fluent's focus library marks the empty elements by which it notices that the keyboard enters or leaves a group.
 */
const mark = 'data-tabster-dummy';

/**
 * Those elements are hidden from assistive technology although the keyboard reaches them, which WCAG forbids (4.1.2;
 * axe: aria-hidden-focus). Here they can be reached only while Tab is being pressed, which is when they are needed;
 * they hand the focus on at once. Returns a function that ends the watching.
 */
export function watchFocusHelpers(document: Document): () => void {
  const window = document.defaultView;
  if (window === null) return () => undefined;
  let pressing = false;
  const apply = () => {
    for (const helper of document.querySelectorAll<HTMLElement>(`[${mark}]`))
      helper.setAttribute('tabindex', String(pressing ? helper.tabIndex : -1));
  };
  const adopt = (node: Node) => {
    if (!(node instanceof HTMLElement) || !node.hasAttribute(mark) || Object.hasOwn(node, 'tabIndex')) return;
    // What the library wants is kept in the property, which it alone writes; what holds now stands in the attribute.
    let wanted = node.tabIndex;
    Object.defineProperty(node, 'tabIndex', {
      configurable: true,
      get: () => wanted,
      set: (value: number) => {
        wanted = value;
        node.setAttribute('tabindex', String(pressing ? value : -1));
      },
    });
    node.setAttribute('tabindex', String(pressing ? wanted : -1));
  };
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) adopt(node);
  });
  const press = ({ key }: KeyboardEvent) => {
    if (key !== 'Tab') return;
    pressing = true;
    apply();
    // The browser moves the focus when all have heard of the key, before the next task.
    window.setTimeout(() => {
      pressing = false;
      apply();
    });
  };
  for (const node of document.querySelectorAll(`[${mark}]`)) adopt(node);
  observer.observe(document.body, { childList: true, subtree: true });
  window.addEventListener('keydown', press, true);
  return () => {
    observer.disconnect();
    window.removeEventListener('keydown', press, true);
  };
}
