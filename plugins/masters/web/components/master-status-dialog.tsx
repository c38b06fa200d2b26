import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { ConfirmDialog, readConflict, useAdminStyles } from '#core/ui-data';
import { HttpClient, MessageCatalog, useResource, useService, useText } from '#core/web';
import type { getMasterData, MasterData } from '../../contract/api/master-data.ts';
import type { MasterMutations } from '../stores/master-mutations.ts';

export interface MasterStatusDialogProps {
  readonly master: MasterData;
  readonly mutations: MasterMutations;
  readonly onClose: () => void;
}

/** Activates or deactivates a master after showing what refers to it. */
export const MasterStatusDialog = observer(function MasterStatusDialog({
  master,
  mutations,
  onClose,
}: MasterStatusDialogProps) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const catalog = useService(MessageCatalog);
  const [base, setBase] = useState(master);
  // Fixed while the dialog is open, so that a reload of the master does not change the question.
  const [active] = useState(!master.active);
  const { uid, name } = master;
  const details = useResource(
    async (signal) => {
      const request = { params: { master: uid } };
      const masterData = await http.call<typeof getMasterData>('GET', '/api/master-data/:master', request, { signal });
      const owners = new Set(masterData.uses.flatMap(({ message }) => message.split('.').slice(0, 1)));
      await Promise.all([...owners].map((owner) => catalog.loadMessages(owner)));
      return masterData;
    },
    [http, catalog, uid],
  );
  const uses = details.value?.uses ?? [];
  const isBlocked = active && details.value?.typeActive === false;
  return (
    <ConfirmDialog
      title={t(active ? 'masters.activateTitle' : 'masters.deactivateTitle', { name })}
      message={t(isBlocked ? 'masters.typeIsInactive' : active ? 'masters.activateHint' : 'masters.deactivateHint')}
      blocked={isBlocked}
      action={t(active ? 'masters.activate' : 'masters.deactivate')}
      onConfirm={async () => {
        try {
          await mutations.setStatus(base, active);
        } catch (cause) {
          setBase(readConflict<MasterData>(cause) ?? base);
          throw cause;
        }
      }}
      onClose={onClose}
    >
      {active ? null : (
        <div role="status">
          {details.failure === undefined ? null : <p className={styles.note}>{t('masters.use.unknown')}</p>}
          {uses.length === 0 ? null : (
            <>
              <p className={styles.note}>{t('masters.use.title')}</p>
              <ul className={styles.report}>
                {uses.map(({ message, count }) => (
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
