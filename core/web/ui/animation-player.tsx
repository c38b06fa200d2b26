import { makeStyles } from '@fluentui/react-components';
import lottie from 'lottie-web/build/player/lottie_light';
import { useEffect, useRef } from 'react';

const useStyles = makeStyles({ stage: { width: 'min(280px, 70vw)', height: 'min(280px, 40vh)' } });

/**
 * Plays an animation description (Lottie JSON) without expressions, which need `eval`. Pauses if the person prefers
 * reduced motion.
 */
export default function AnimationPlayer({ description }: { readonly description: unknown }) {
  const styles = useStyles();
  const stage = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (stage.current === null) return undefined;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const animation = lottie.loadAnimation({
      container: stage.current,
      renderer: 'svg',
      loop: !calm,
      autoplay: !calm,
      animationData: description,
    });
    return () => animation.destroy();
  }, [description]);
  return <div ref={stage} className={styles.stage} aria-hidden="true" />;
}
