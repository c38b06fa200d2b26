import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Badge, Button, makeStyles, MessageBar, MessageBarBody } from '#core/ui';
import { DescriptionList, useAdminStyles } from '#core/ui-data';
import { HttpClient, useFormatFailure, useService, useText } from '#core/web';
import type { ProviderSettings, ProviderTest, testProvider } from '#core/api';

const useStyles = makeStyles({ steps: { display: 'grid', gap: '8px', margin: 0, padding: 0, listStyleType: 'none' } });

const outcomeColors = { OK: 'success', FAILED: 'danger', SKIPPED: 'informative' } as const;

export interface ProviderCardProps {
  readonly provider: ProviderSettings;
  /** The label of its button on the login screen. */
  readonly label: string;
  readonly returnUrl: string;
}

/** Shows an identity provider with its settings from the environment, and tests the connection. */
export const ProviderCard = observer(function ProviderCard({
  provider: { id, issuer, clientId, mailDomains, variables },
  label,
  returnUrl,
}: ProviderCardProps) {
  const t = useText();
  const styles = { ...useAdminStyles(), ...useStyles() };
  const http = useService(HttpClient);
  const formatFailure = useFormatFailure();
  const [testing, setTesting] = useState(false);
  const [result, setResult] = useState<ProviderTest>();
  const [failure, setFailure] = useState<unknown>();

  const test = async (): Promise<void> => {
    setTesting(true);
    setFailure(undefined);
    setResult(undefined);
    try {
      const request = { params: { provider: id }, body: {} };
      setResult(await http.call<typeof testProvider>('POST', '/api/settings/providers/:provider/test', request));
    } catch (cause) {
      setFailure(cause);
    } finally {
      setTesting(false);
    }
  };
  const isSet = issuer !== null;
  return (
    <div className={styles.card} role="group" aria-label={label}>
      <div className={styles.head}>
        <h3 className={styles.name}>{label}</h3>
        <Badge appearance="tint" color={isSet ? 'success' : 'warning'}>
          {t(isSet ? 'media.settings.set' : 'media.settings.notSet')}
        </Badge>
        <span className={styles.grow} />
        <Button disabledFocusable={testing} onClick={() => void test()}>
          {t(testing ? 'media.settings.testing' : 'media.settings.test')}
        </Button>
      </div>
      <DescriptionList
        items={[
          [t('media.settings.issuer'), issuer ?? t('media.settings.notSet')],
          [t('media.settings.clientId'), clientId ?? t('media.settings.notSet')],
          [t('media.settings.clientSecret'), t(isSet ? 'media.settings.set' : 'media.settings.notSet')],
          [t('media.settings.mailDomains'), mailDomains.join(', ') || t('media.settings.none')],
          [t('media.settings.returnAddress'), returnUrl],
        ]}
      />
      <p className={styles.note}>{t('media.settings.providerSource', { variables })}</p>
      <div role="status">
        {failure === undefined ? null : (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{formatFailure(failure)}</MessageBarBody>
          </MessageBar>
        )}
        {result === undefined ? null : (
          <ul className={styles.steps}>
            {result.steps.map(({ step, outcome, problem, detail }) => (
              <li key={step}>
                <Badge appearance="tint" color={outcomeColors[outcome]}>
                  {t(`media.settings.outcome.${outcome}`)}
                </Badge>{' '}
                {t(`media.settings.step.${step}`)}
                {problem === null ? null : (
                  <p className={styles.note}>{t(`media.settings.problem.${problem}`, { detail, variables })}</p>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
});
