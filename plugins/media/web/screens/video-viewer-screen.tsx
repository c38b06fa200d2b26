import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { EmptyState, FailedState, makeStyles, PageTitle, PanelSkeleton, Tab, TabList, tokens } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import { useItems } from '../components/use-items.ts';

/** The first images and videos, in one page of the list. */
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

/** Shows images and plays videos. The parameter `video` of the address is the number of one, counted from 1. */
const VideoViewerScreen = observer(function VideoViewerScreen() {
  const styles = useStyles();
  const t = useText();
  const { language } = useService(I18n);
  const items = useItems(maxShown);
  const [searchParams, setSearchParams] = useSearchParams();
  const [failedAddress, setFailedAddress] = useState<string>();

  if (items.state === 'loading') return <PanelSkeleton />;
  const failureText = { title: t('media.video.failed'), message: t('media.video.failedHint') };
  if (items.state === 'failed')
    return <FailedState heading="h1" {...failureText} error={items.failure?.cause} onRetry={() => void items.load()} />;
  const videos = (items.value?.rows ?? []).map(({ title, frenchTitle, ...item }) => ({
    ...item,
    title: language === 'fr' ? (frenchTitle ?? title) : title,
  }));
  const selectedVideo = videos[Number(searchParams.get('video') ?? '1') - 1] ?? videos[0];
  if (!selectedVideo)
    return <EmptyState heading="h1" title={t('media.video.empty')} message={t('media.video.emptyHint')} />;
  return (
    <>
      <PageTitle title={selectedVideo.title} />
      <div className={styles.columns}>
        {failedAddress === selectedVideo.address ? (
          <FailedState {...failureText} onRetry={() => setFailedAddress(undefined)} />
        ) : !selectedVideo.video ? (
          <img
            key={selectedVideo.address}
            className={styles.video}
            src={selectedVideo.address}
            alt={selectedVideo.title}
            onError={() => setFailedAddress(selectedVideo.address)}
          />
        ) : (
          // oxlint-disable-next-line jsx-a11y/media-has-caption -- the track below exists if the video has captions
          <video
            key={selectedVideo.address}
            className={styles.video}
            src={selectedVideo.address}
            controls
            preload="metadata"
            aria-label={selectedVideo.title}
            onError={() => setFailedAddress(selectedVideo.address)}
          >
            {selectedVideo.captions === null ? null : (
              <track kind="captions" src={selectedVideo.captions} label={t('media.video.captions')} default />
            )}
          </video>
        )}
        <TabList
          vertical
          selectedValue={selectedVideo.address}
          aria-label={t('media.video.playlist')}
          onTabSelect={(_, { value }) =>
            setSearchParams({ video: String(videos.findIndex((video) => video.address === value) + 1) })
          }
        >
          {videos.map((video) => (
            <Tab key={video.address} value={video.address} className={styles.tab}>
              {video.title}
            </Tab>
          ))}
        </TabList>
      </div>
    </>
  );
});
export default VideoViewerScreen;
