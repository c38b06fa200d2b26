import { Button, Dialog, DialogActions, DialogBody, DialogContent, DialogSurface, DialogTitle } from '#core/ui';
import { useText } from '#core/web';

export interface DeleteDialogProps {
  readonly name: string;
  readonly onEnd: () => void;
  readonly onDelete: () => void;
}

/** Asks for confirmation of a deletion, because the picture of a changed plant cannot be taken again. */
export function DeleteDialog({ name, onEnd, onDelete }: DeleteDialogProps) {
  const t = useText();
  return (
    <Dialog open modalType="alert" onOpenChange={(_, { open }) => (open ? undefined : onEnd())}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{t('annotate.deleteSnapshot', { name })}</DialogTitle>
          <DialogContent>{t('annotate.deleteSnapshotHint')}</DialogContent>
          <DialogActions fluid>
            <Button onClick={onEnd}>{t('annotate.discard')}</Button>
            <Button appearance="primary" onClick={onDelete}>
              {t('annotate.delete')}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
