import { PauseRegular } from '@fluentui/react-icons/svg/pause';
import { PlayRegular } from '@fluentui/react-icons/svg/play';
import { useEffect, useRef, useState } from 'react';
import { BackdropDrawing } from './backdrop-drawing.tsx';
import { classes } from './sign-in-classes.ts';
import { useSignIn } from './sign-in-context.ts';

const imageIntervalMs = 9_000;

const isVideo = (address: string) => /\.mp4$/i.test(address);

/**
 * One to five cross-fading images, or a video. A button pauses it; paused from the start if the person prefers reduced
 * motion.
 */
export function Backdrop({ sources }: { readonly sources: readonly string[] }) {
  const { text } = useSignIn();
  const [playing, setPlaying] = useState(true);
  const [failed, setFailed] = useState<readonly string[]>([]);
  const pictures = sources.filter((source) => !failed.includes(source));
  const shown = useSlideshow(pictures, playing);
  const video = useRef<HTMLVideoElement>(null);
  const moves = pictures.length > 1 || pictures.some(isVideo);

  useEffect(() => {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (calm) setPlaying(false);
    else video.current?.play().catch(() => setPlaying(false));
  }, []);

  const toggle = () => {
    setPlaying(!playing);
    if (playing) video.current?.pause();
    else void video.current?.play().catch(() => setPlaying(false));
  };
  const forget = (source: string) => setFailed((before) => [...before, source]);

  return (
    <div className={classes.backdrop}>
      {pictures.length === 0 ? <BackdropDrawing className={classes.drawing} /> : null}
      {pictures.map((source, index) =>
        isVideo(source) ? (
          <video
            key={source}
            ref={video}
            className={classes.picture}
            data-shown={index === shown.current ? '' : undefined}
            src={source}
            muted
            loop
            playsInline
            preload="metadata"
            aria-hidden="true"
            tabIndex={-1}
            onError={() => forget(source)}
          />
        ) : shown.loaded.includes(index) ? (
          <img
            key={source}
            className={classes.picture}
            data-shown={index === shown.current ? '' : undefined}
            src={source}
            alt=""
            decoding="async"
            fetchPriority="low"
            draggable={false}
            onError={() => forget(source)}
          />
        ) : null,
      )}
      {moves ? (
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
 * The current image, and the mounted ones: each loads shortly before its turn, so that five images do not delay the
 * form.
 */
function useSlideshow(
  pictures: readonly string[],
  playing: boolean,
): { readonly current: number; readonly loaded: readonly number[] } {
  const [current, setCurrent] = useState(0);
  const [loaded, setLoaded] = useState<readonly number[]>([0]);
  const count = pictures.length;
  useEffect(() => {
    if (!playing || count < 2) return undefined;
    const next = (current + 1) % count;
    const early = setTimeout(
      () => setLoaded((before) => (before.includes(next) ? before : [...before, next])),
      imageIntervalMs / 2,
    );
    const turn = setTimeout(() => setCurrent(next), imageIntervalMs);
    return () => {
      clearTimeout(early);
      clearTimeout(turn);
    };
  }, [current, count, playing]);
  return { current: count === 0 ? 0 : current % count, loaded };
}
