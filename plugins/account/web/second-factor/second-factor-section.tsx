import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import type { getSecondFactor } from '#core/api';
import { makeStyles, PanelSkeleton, ResourceView, tokens } from '#core/ui';
import { HttpClient, Navigation, useFormats, useResource, useService, useText } from '#core/web';
import { secondFactor } from '../../contract/index.ts';

const useStyles = makeStyles({
  text: { margin: 0, marginBottom: tokens.spacingVerticalM },
  link: { color: tokens.colorBrandForegroundLink },
});

/** Shows the status of the second factor, with a link to its page. */
const SecondFactorSection = observer(function SecondFactorSection() {
  const styles = useStyles();
  const t = useText();
  const formats = useFormats();
  const http = useService(HttpClient);
  const navigation = useService(Navigation);
  const status = useResource(
    (signal) => http.call<typeof getSecondFactor>('GET', '/api/me/second-factor', {}, { signal }),
    [http],
  );
  return (
    <ResourceView resource={status} waiting={<PanelSkeleton lines={1} />}>
      {({ available, since, recoveryCodesLeft }) =>
        available ? (
          <>
            <p className={styles.text}>
              {since === null
                ? t('account.secondFactor.off')
                : t('account.secondFactor.on', { at: formats.instant(since), left: recoveryCodesLeft })}
            </p>
            <Link className={styles.link} to={navigation.linkTo(secondFactor, {}) ?? ''}>
              {t(since === null ? 'account.secondFactor.setUp' : 'account.secondFactor.manage')}
            </Link>
          </>
        ) : (
          <p className={styles.text}>{t('account.secondFactor.unavailable')}</p>
        )
      }
    </ResourceView>
  );
});
export default SecondFactorSection;
