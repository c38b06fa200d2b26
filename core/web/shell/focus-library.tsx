import { useFocusFinders } from '../ui/shell.ts';

/**
 * Uses Fluent's focus library, which hides the page behind a dialog from screen readers. Without a user the library
 * ends and the page stays hidden, such as if the browser's back button leaves a shell with an open dialog.
 */
export default function FocusLibrary() {
  useFocusFinders();
  return null;
}
