import { useState } from 'react';
import type { Person, resetSecondFactor } from '#core/api';
import { Button } from '#core/ui';
import { ConfirmDialog, useAdminStyles } from '#core/ui-data';
import { HttpClient, Notifications, useService, useText } from '#core/web';

export interface PersonSecondFactorProps {
  readonly person: Person;
  readonly onReset: () => Promise<void>;
}

/** Resets the second factor of a person who has lost the app and the recovery codes. */
export function PersonSecondFactor({ person, onReset }: PersonSecondFactorProps) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const notifications = useService(Notifications);
  const [isConfirming, setIsConfirming] = useState(false);
  const reset = async (): Promise<void> => {
    await http.call<typeof resetSecondFactor>('POST', '/api/people/:person/second-factor/reset', {
      params: { person: person.uid },
      body: {},
    });
    notifications.show({
      id: 'users.secondFactor',
      kind: 'success',
      area: 'bottom',
      message: 'users.secondFactor.resetDone',
      dismissable: true,
    });
    await onReset();
  };
  return (
    <section className={styles.card} aria-labelledby="second-factor">
      <h2 id="second-factor" className={styles.name}>
        {t('users.secondFactor')}
      </h2>
      <p className={styles.note}>{t('users.secondFactor.on')}</p>
      <div className={styles.actions}>
        <Button onClick={() => setIsConfirming(true)}>{t('users.secondFactor.reset')}</Button>
      </div>
      {isConfirming ? (
        <ConfirmDialog
          title={t('users.secondFactor.confirm', { name: person.name })}
          message={t('users.secondFactor.confirmHint')}
          action={t('users.secondFactor.reset')}
          onConfirm={reset}
          onClose={() => setIsConfirming(false)}
        />
      ) : null}
    </section>
  );
}
