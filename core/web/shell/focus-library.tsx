import { useFocusFinders } from '../ui/shell.ts';

/**
 * Keeps Fluent's focus library running. The library hides the page behind a dialog from screen readers, and stops when
 * no component uses it. If it stopped while a dialog is open, such as when the browser's back button leaves the shell,
 * the page would stay hidden.
 */
export default function FocusLibrary() {
  useFocusFinders();
  return null;
}
