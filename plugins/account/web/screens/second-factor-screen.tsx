import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { getSecondFactor, SecondFactor } from '#core/api';
import { makeStyles, PageTitle, PanelSkeleton, ResourceView, tokens } from '#core/ui';
import { HttpClient, Navigation, useFormats, useResource, useService, useText } from '#core/web';
import { settings } from '../../contract/index.ts';
import { Enrolment } from '../second-factor/enrolment.tsx';
import { RecoveryCodes } from '../second-factor/recovery-codes.tsx';
import { RenewCodes } from '../second-factor/renew-codes.tsx';
import { TurnOff } from '../second-factor/turn-off.tsx';

const useStyles = makeStyles({
  page: { display: 'grid', gap: tokens.spacingVerticalXXL, maxWidth: '720px' },
  text: { margin: 0 },
  link: { color: tokens.colorBrandForegroundLink },
});

/** Manages the second factor. New recovery codes are shown until the person confirms that they are stored. */
const SecondFactorScreen = observer(function SecondFactorScreen() {
  const styles = useStyles();
  const t = useText();
  const http = useService(HttpClient);
  const navigation = useService(Navigation);
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  const status = useResource(
    (signal) => http.call<typeof getSecondFactor>('GET', '/api/me/second-factor', {}, { signal }),
    [http],
  );
  const handleStored = () => {
    setRecoveryCodes(undefined);
    void status.load();
  };
  return (
    <>
      <PageTitle title={t('account.secondFactor.title')} hint={t('account.secondFactor.hint')} />
      <div className={styles.page}>
        {recoveryCodes ? (
          <RecoveryCodes codes={recoveryCodes} onStored={handleStored} />
        ) : (
          <ResourceView resource={status} waiting={<PanelSkeleton lines={3} />}>
            {(value) => (
              <SecondFactorStatus
                secondFactor={value}
                onRecoveryCodes={setRecoveryCodes}
                onChange={() => void status.load()}
              />
            )}
          </ResourceView>
        )}
        <Link className={styles.link} to={navigation.linkTo(settings, {}) ?? ''}>
          {t('account.secondFactor.back')}
        </Link>
      </div>
    </>
  );
});
export default SecondFactorScreen;

interface SecondFactorStatusProps {
  readonly secondFactor: SecondFactor;
  readonly onRecoveryCodes: (codes: readonly string[]) => void;
  readonly onChange: () => void;
}

const SecondFactorStatus = observer(function SecondFactorStatus({
  secondFactor,
  onRecoveryCodes,
  onChange,
}: SecondFactorStatusProps) {
  const styles = useStyles();
  const t = useText();
  const formats = useFormats();
  if (!secondFactor.available) return <p className={styles.text}>{t('account.secondFactor.unavailable')}</p>;
  if (secondFactor.since === null)
    return (
      <>
        <p className={styles.text}>{t('account.secondFactor.off')}</p>
        <Enrolment onRecoveryCodes={onRecoveryCodes} />
      </>
    );
  return (
    <>
      <p className={styles.text}>
        {t('account.secondFactor.on', {
          at: formats.instant(secondFactor.since),
          left: secondFactor.recoveryCodesLeft,
        })}
      </p>
      <RenewCodes onRecoveryCodes={onRecoveryCodes} />
      {secondFactor.required ? (
        <p className={styles.text}>{t('account.secondFactor.required')}</p>
      ) : (
        <TurnOff onChange={onChange} />
      )}
    </>
  );
});
