import { PauseRegular } from '@fluentui/react-icons/svg/pause';
import { PlayRegular } from '@fluentui/react-icons/svg/play';
import { useEffect, useRef, useState } from 'react';
import { BackgroundDrawing } from './background-drawing.tsx';
import { classes } from './sign-in-classes.ts';
import { useSignIn } from './sign-in-context.ts';

const imageIntervalMs = 9_000;

export interface BackgroundSource {
  readonly address: string;
  readonly isVideo: boolean;
}

/**
 * Cross-fading images, a video, or a drawing if there is neither or all failed to load. A button pauses images and
 * video. They start paused if the person prefers reduced motion.
 */
export function Background({ sources }: { readonly sources: readonly BackgroundSource[] }) {
  const { text } = useSignIn();
  const [playing, setPlaying] = useState(true);
  const [failedUrls, setFailed] = useState<readonly string[]>([]);
  const pictures = sources.filter(({ address: url }) => !failedUrls.includes(url));
  const slideshow = useSlideshow(pictures, playing);
  const video = useRef<HTMLVideoElement>(null);
  const canPause = pictures.length > 1 || pictures.some(({ isVideo }) => isVideo);

  useEffect(() => {
    const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (prefersReducedMotion) setPlaying(false);
    else video.current?.play().catch(() => setPlaying(false));
  }, []);

  const toggle = () => {
    setPlaying(!playing);
    if (playing) video.current?.pause();
    else void video.current?.play().catch(() => setPlaying(false));
  };
  const hideFailed = (url: string) => setFailed((previous) => [...previous, url]);

  return (
    <div className={classes.background}>
      {pictures.length === 0 ? <BackgroundDrawing className={classes.drawing} /> : null}
      {pictures.map(({ address: url, isVideo }, index) =>
        isVideo ? (
          <video
            key={url}
            ref={video}
            className={classes.picture}
            data-shown={index === slideshow.current ? '' : undefined}
            src={url}
            muted
            loop
            playsInline
            preload="metadata"
            aria-hidden="true"
            tabIndex={-1}
            onError={() => hideFailed(url)}
          />
        ) : slideshow.requested.includes(index) ? (
          <img
            key={url}
            className={classes.picture}
            data-shown={index === slideshow.current ? '' : undefined}
            src={url}
            alt=""
            decoding="async"
            fetchPriority="low"
            draggable={false}
            onError={() => hideFailed(url)}
          />
        ) : null,
      )}
      {canPause ? (
        <button
          type="button"
          className={classes.pause}
          aria-label={text(playing ? 'core.signIn.picture.pause' : 'core.signIn.picture.play')}
          onClick={toggle}
        >
          {playing ? <PauseRegular /> : <PlayRegular />}
        </button>
      ) : null}
    </div>
  );
}

/**
 * Returns the index of the shown image and the indices of the images to request. Each image is requested half an
 * interval before it is shown, so that five images do not delay the form.
 */
function useSlideshow(
  pictures: readonly BackgroundSource[],
  playing: boolean,
): { readonly current: number; readonly requested: readonly number[] } {
  const [current, setCurrent] = useState(0);
  const [requested, setRequested] = useState<readonly number[]>([0]);
  const count = pictures.length;
  useEffect(() => {
    if (!playing || count < 2) return undefined;
    const nextIndex = (current + 1) % count;
    const loadTimer = setTimeout(
      () => setRequested((previous) => (previous.includes(nextIndex) ? previous : [...previous, nextIndex])),
      imageIntervalMs / 2,
    );
    const showTimer = setTimeout(() => setCurrent(nextIndex), imageIntervalMs);
    return () => {
      clearTimeout(loadTimer);
      clearTimeout(showTimer);
    };
  }, [current, count, playing]);
  return { current: count === 0 ? 0 : current % count, requested };
}
