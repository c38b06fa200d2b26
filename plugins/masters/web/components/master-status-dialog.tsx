import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { ConfirmDialog, readConflict, useAdminStyles } from '#core/ui-data';
import { HttpClient, MessageCatalog, useResource, useService, useText } from '#core/web';
import type { getMasterData, MasterData } from '../../contract/api/master-data.ts';
import type { MasterChanges } from '../stores/master-changes.ts';

export interface MasterStatusDialogProps {
  readonly master: MasterData;
  readonly changes: MasterChanges;
  readonly onClose: () => void;
}

/** Activates or deactivates a master after a word about what refers to it. */
export const MasterStatusDialog = observer(function MasterStatusDialog({
  master,
  changes,
  onClose,
}: MasterStatusDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const catalog = useService(MessageCatalog);
  const [base, setBase] = useState(master);
  const [active] = useState(!master.active);
  const { uid, name } = master;
  const uses = useResource(
    async (signal) => {
      const request = { params: { master: uid } };
      const details = await http.call<typeof getMasterData>('GET', '/api/master-data/:master', request, { signal });
      const owners = new Set(details.uses.flatMap(({ message }) => message.split('.').slice(0, 1)));
      await Promise.all([...owners].map((owner) => catalog.prepare(owner)));
      return details.uses;
    },
    [http, catalog, uid],
  );
  return (
    <ConfirmDialog
      title={t(active ? 'masters.activateTitle' : 'masters.deactivateTitle', { name })}
      message={t(active ? 'masters.activateHint' : 'masters.deactivateHint')}
      action={t(active ? 'masters.activate' : 'masters.deactivate')}
      onConfirm={async () => {
        try {
          await changes.setStatus(base, active);
        } catch (cause) {
          setBase(readConflict<MasterData>(cause) ?? base);
          throw cause;
        }
      }}
      onClose={onClose}
    >
      {active ? null : (
        <div role="status">
          {uses.failure === undefined ? null : <p className={styles.note}>{t('masters.use.unknown')}</p>}
          {uses.value === undefined || uses.value.length === 0 ? null : (
            <>
              <p className={styles.note}>{t('masters.use.title')}</p>
              <ul className={styles.report}>
                {uses.value.map(({ message, count }) => (
                  <li key={message}>{t(message, { count })}</li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </ConfirmDialog>
  );
});
