import { observer } from 'mobx-react-lite';
import { lazy, Suspense } from 'react';
import { basePath, routeUrl } from '#core';
import { Button, Field, Input, loadQrCode, makeStyles, Skeleton, SkeletonItem } from '#core/ui';
import { HttpClient, useResource, useService, useText } from '#core/web';
import { TourStore, viewLink } from '#plugins/tour';
import type { saveViewLink } from '../../../contract/api/links.ts';
import { CopyLinkButton } from '../copy-link-button.tsx';

const QrCode = lazy(loadQrCode);
const useStyles = makeStyles({
  root: { display: 'grid', gap: '12px' },
  actions: { display: 'flex', flexWrap: 'wrap', gap: '8px', '& > *': { flexGrow: 1, minHeight: '44px' } },
  loading: { height: '332px' },
});

/** Focuses the most likely needed button when it appears. */
const focusWhenMounted = (button: HTMLButtonElement | null): void => button?.focus();

export interface SharePanelProps {
  /** uid of the location in the URL. */
  readonly location: string;
  /** The shared view as the query of a URL. */
  readonly query: string;
  /** The full URL of the view, which is shared if no short link can be created. */
  readonly url: string;
}

/** Shows the short link of a view, with buttons to copy it and send it by mail, and as a QR code. */
const SharePanel = observer(function SharePanel({ location, query, url }: SharePanelProps) {
  const styles = useStyles();
  const t = useText();
  const http = useService(HttpClient);
  const { opened, currentNode } = useService(TourStore);
  const linkResource = useResource(
    (signal) =>
      http.call<typeof saveViewLink>(
        'POST',
        '/api/tour/:location/links',
        { params: { location }, body: { view: query } },
        { signal },
      ),
    [http, location, query],
  );
  if (!linkResource.value && !linkResource.failure) {
    return (
      <Skeleton aria-label={t('tour.share.creating')}>
        <SkeletonItem className={styles.loading} />
      </Skeleton>
    );
  }
  const link = linkResource.value
    ? `${window.location.origin}${basePath}${routeUrl(viewLink, { code: linkResource.value.code })}`
    : url;
  const subject = t('tour.heading', { tour: opened?.tour.name ?? '', place: currentNode?.name ?? '' });
  return (
    <div className={styles.root}>
      <Field label={t('tour.shareAddress')} {...(linkResource.failure ? { hint: t('tour.share.full') } : {})}>
        <Input readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </Field>
      <div className={styles.actions}>
        <CopyLinkButton ref={focusWhenMounted} appearance="primary" link={link} copiesAtOnce />
        <Button as="a" href={`mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(link)}`}>
          {t('tour.share.mail')}
        </Button>
      </div>
      <Suspense fallback={null}>
        <QrCode text={link} label={t('tour.share.code')} />
      </Suspense>
    </div>
  );
});
export default SharePanel;
