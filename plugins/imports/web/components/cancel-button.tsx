import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Button, useRestoreFocusTarget } from '#core/ui';
import { ConfirmDialog } from '#core/ui-data';
import { useText } from '#core/web';
import type { ImportJobProps } from './import-job.tsx';

/** Cancels an import that is not applied yet, after a confirmation. */
export const CancelButton = observer(function CancelButton({
  openImport,
  currentImport: { phase, followers },
}: ImportJobProps) {
  const t = useText();
  const opener = useRestoreFocusTarget();
  const [isAsking, setIsAsking] = useState(false);
  if (phase === 'APPLYING' || phase === 'DONE' || phase === 'CANCELLED') return null;
  return (
    <>
      <Button {...opener} onClick={() => setIsAsking(true)}>
        {t('imports.cancel.action')}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={t('imports.cancel.title')}
          message={t(
            followers.some((each) => each.phase === 'WAITING')
              ? 'imports.cancel.messageFollowers'
              : 'imports.cancel.message',
          )}
          action={t('imports.cancel.action')}
          dismissal={t('imports.cancel.keep')}
          onConfirm={() => openImport.cancel()}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </>
  );
});
