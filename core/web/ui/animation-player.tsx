import { makeStyles } from '@fluentui/react-components';
import lottie from 'lottie-web/build/player/lottie_light';
import { useEffect, useRef } from 'react';

const useStyles = makeStyles({ container: { width: 'min(280px, 70vw)', height: 'min(280px, 40vh)' } });

/**
 * Plays an animation description (Lottie JSON) without expressions, which need `eval`. Pauses if the person prefers
 * reduced motion.
 */
export default function AnimationPlayer({ description }: { readonly description: unknown }) {
  const styles = useStyles();
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (container.current === null) return undefined;
    const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const animation = lottie.loadAnimation({
      container: container.current,
      renderer: 'svg',
      loop: !prefersReducedMotion,
      autoplay: !prefersReducedMotion,
      animationData: description,
    });
    return () => animation.destroy();
  }, [description]);
  return <div ref={container} className={styles.container} aria-hidden="true" />;
}
