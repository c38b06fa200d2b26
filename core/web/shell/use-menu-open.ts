import { useState } from 'react';
import { useLocation } from 'react-router-dom';

/** Whether a menu of the shell is open. It closes when another screen opens, such as by the browser's Back button. */
export function useMenuOpen(): readonly [open: boolean, setOpen: (open: boolean) => void] {
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  const [shownPath, setShownPath] = useState(pathname);
  if (shownPath !== pathname) {
    setShownPath(pathname);
    setOpen(false);
  }
  return [open, setOpen];
}
