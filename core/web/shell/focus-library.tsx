import { useFocusFinders } from '../ui/shell.ts';

/**
 * Keeps Fluent's focus library running, which hides the page behind a dialog from screen readers. The library stops
 * with the last component that uses it. If a dialog is open then, such as when the browser's back button leaves the
 * shell, the page would stay hidden.
 */
export default function FocusLibrary() {
  useFocusFinders();
  return null;
}
