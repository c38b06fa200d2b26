import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { EmptyState, FailedState, makeStyles, PageTitle, PanelSkeleton, Tab, TabList, tokens } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import { useItems } from '../components/use-items.ts';

/** Items beyond the first page of the list are not shown. */
const maxShown = 200;

const useStyles = makeStyles({
  columns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) 280px',
    gap: tokens.spacingHorizontalXL,
    alignItems: 'start',
    '@media (max-width: 899px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  video: {
    display: 'block',
    width: '100%',
    aspectRatio: '16 / 9',
    objectFit: 'contain',
    backgroundColor: '#000000',
    borderRadius: tokens.borderRadiusXLarge,
  },
  tab: { minHeight: '44px' },
});

/** Shows images and plays videos. The query parameter `video` is the number of the item, counted from 1. */
const VideoViewerScreen = observer(function VideoViewerScreen() {
  const styles = useStyles();
  const t = useText();
  const { language } = useService(I18n);
  const items = useItems(maxShown);
  const [searchParams, setSearchParams] = useSearchParams();
  const [failedUrl, setFailedUrl] = useState<string>();

  if (items.state === 'loading') return <PanelSkeleton />;
  const failureText = { title: t('media.video.failed'), message: t('media.video.failedHint') };
  if (items.state === 'failed')
    return <FailedState heading="h1" {...failureText} error={items.failure?.cause} onRetry={() => void items.load()} />;
  const localizedItems = (items.value?.rows ?? []).map(({ title, frenchTitle, ...item }) => ({
    ...item,
    title: language === 'fr' ? (frenchTitle ?? title) : title,
  }));
  const selectedItem = localizedItems[Number(searchParams.get('video') ?? '1') - 1] ?? localizedItems[0];
  if (!selectedItem)
    return <EmptyState heading="h1" title={t('media.video.empty')} message={t('media.video.emptyHint')} />;
  return (
    <>
      <PageTitle title={selectedItem.title} />
      <div className={styles.columns}>
        {failedUrl === selectedItem.address ? (
          <FailedState {...failureText} onRetry={() => setFailedUrl(undefined)} />
        ) : !selectedItem.video ? (
          <img
            key={selectedItem.address}
            className={styles.video}
            src={selectedItem.address}
            alt={selectedItem.title}
            onError={() => setFailedUrl(selectedItem.address)}
          />
        ) : (
          // oxlint-disable-next-line jsx-a11y/media-has-caption -- the track below exists if the video has captions
          <video
            key={selectedItem.address}
            className={styles.video}
            src={selectedItem.address}
            controls
            preload="metadata"
            aria-label={selectedItem.title}
            onError={() => setFailedUrl(selectedItem.address)}
          >
            {selectedItem.captions === null ? null : (
              <track kind="captions" src={selectedItem.captions} label={t('media.video.captions')} default />
            )}
          </video>
        )}
        <TabList
          vertical
          selectedValue={selectedItem.address}
          aria-label={t('media.video.playlist')}
          onTabSelect={(_, { value }) =>
            setSearchParams({ video: String(localizedItems.findIndex((item) => item.address === value) + 1) })
          }
        >
          {localizedItems.map((item) => (
            <Tab key={item.address} value={item.address} className={styles.tab}>
              {item.title}
            </Tab>
          ))}
        </TabList>
      </div>
    </>
  );
});
export default VideoViewerScreen;
