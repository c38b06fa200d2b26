import { useText } from '../i18n/use-text.ts';
import type { LeaveQuestionProps } from '../router/app-components.ts';
import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  useRestoreFocus,
} from '../ui/shell.ts';

/** Asks whether to leave unsaved work. Escape, a click outside and the first button stay on the page. */
export default function LeaveDialog({ leave, stay }: LeaveQuestionProps) {
  const text = useText();
  useRestoreFocus();
  return (
    <Dialog open modalType="alert" onOpenChange={(_, data) => (data.open ? undefined : stay())}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{text('core.unsaved.title')}</DialogTitle>
          <DialogContent>{text('core.unsaved.message')}</DialogContent>
          <DialogActions fluid>
            <Button appearance="primary" onClick={stay}>
              {text('core.unsaved.stay')}
            </Button>
            <Button onClick={leave}>{text('core.unsaved.leave')}</Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
