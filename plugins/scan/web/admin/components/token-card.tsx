import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { instantAt, mandatory, wallTimeAt, type LocationNode } from '#core';
import { Badge, Button, Field, Input, useForm, useRestoreFocusTarget } from '#core/ui';
import { ConfirmDialog, FormDialog, useAdminStyles } from '#core/ui-data';
import { HttpClient, useFormats, useService, useText } from '#core/web';
import type { ScanToken, setScanToken } from '../../../contract/api.ts';

const colors = { VALID: 'success', EXPIRED: 'danger', MISSING: 'warning', NONE: 'informative' } as const;
const defaultDays = 30;

interface TokenCardProps {
  readonly token: ScanToken;
  readonly location: LocationNode;
  readonly onChanged: () => Promise<void>;
}

/** Shows the scan token of a location, and renews or revokes it. */
export const TokenCard = observer(function TokenCard({ token, location, onChanged }: TokenCardProps) {
  const styles = useAdminStyles();
  const t = useText();
  const formats = useFormats(location.uid);
  const http = useService(HttpClient);
  const opener = useRestoreFocusTarget();
  const [openDialog, setOpenDialog] = useState<'renew' | 'withdraw'>();
  const saveToken = async (expiresAt: string | null): Promise<void> => {
    await http.call<typeof setScanToken>('PUT', '/api/scan/:location/token', {
      params: { location: location.uid },
      body: { expiresAt },
    });
    void onChanged();
  };
  const expiry = token.expiresAt === null ? '' : formats.instant(token.expiresAt);
  return (
    <section className={styles.card} aria-labelledby="scan-token" style={{ marginBottom: '16px' }}>
      <div className={styles.head}>
        <h2 id="scan-token" className={styles.name}>
          {t('scan.admin.token')}
        </h2>
        <Badge appearance="tint" color={colors[token.state]} size="large">
          {t(`scan.admin.token.${token.state}`)}
        </Badge>
        <span className={styles.grow}>
          {t(`scan.admin.tokenSays.${token.state}`, { name: location.name, when: expiry })}
        </span>
        <div className={styles.actions}>
          <Button
            {...opener}
            appearance={token.state === 'VALID' ? 'secondary' : 'primary'}
            onClick={() => setOpenDialog('renew')}
          >
            {t(token.state === 'MISSING' ? 'scan.admin.giveToken' : 'scan.admin.renewToken')}
          </Button>
          {token.state === 'MISSING' ? null : (
            <Button {...opener} onClick={() => setOpenDialog('withdraw')}>
              {t('scan.admin.withdrawToken')}
            </Button>
          )}
        </div>
      </div>
      {openDialog === 'renew' ? (
        <TokenDialog location={location} token={token} saveToken={saveToken} onClose={() => setOpenDialog(undefined)} />
      ) : null}
      {openDialog === 'withdraw' ? (
        <ConfirmDialog
          title={t('scan.admin.withdrawTitle', { name: location.name })}
          message={t('scan.admin.withdrawHint')}
          action={t('scan.admin.withdrawToken')}
          onConfirm={() => saveToken(null)}
          onClose={() => setOpenDialog(undefined)}
        />
      ) : null}
    </section>
  );
});

const TokenDialog = observer(function TokenDialog({
  location,
  token,
  saveToken,
  onClose,
}: {
  readonly location: LocationNode;
  readonly token: ScanToken;
  readonly saveToken: (expiresAt: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { timeZone } = useFormats(location.uid);
  const [initial] = useState(() => ({
    until: wallTimeAt(
      new Date(Math.max(Date.now(), Date.parse(token.expiresAt ?? '') || 0) + defaultDays * 86_400_000),
      timeZone,
    ),
  }));
  const form = useForm({
    initial,
    rules: {
      until: [
        mandatory,
        (value: string) =>
          instantAt(value, timeZone).getTime() > Date.now() ? undefined : { message: 'scan.admin.untilPast' },
      ],
    },
    send: async ({ until }) => {
      await saveToken(instantAt(until, timeZone).toISOString());
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('scan.admin.tokenTitle', { name: location.name })}
      action={t('scan.admin.save')}
      busy={form.busy}
      failure={form.failure}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <p>{t('scan.admin.tokenHint')}</p>
      <Field
        label={t('scan.admin.until')}
        hint={t('scan.admin.untilHint', { zone: timeZone })}
        required
        {...form.field('until')}
      >
        <Input type="datetime-local" {...form.input('until')} />
      </Field>
    </FormDialog>
  );
});
