import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useService } from '../../kernel/use-service.ts';
import { loadChunk } from '../../kernel/load-chunk.ts';
import { Routes } from '../../router/use-menu.ts';
import { makeStyles } from '../../ui/base.ts';
import { LaunchAnimation } from '../../ui/launch-animation.tsx';

const useStyles = makeStyles({ root: { display: 'grid', placeItems: 'center', minHeight: '100dvh' } });

/** A path on our own origin: one slash, then no second slash or backslash. */
const innerPath = (path: string | null) => (path !== null && /^\/(?![/\\])/.test(path) ? path : undefined);

/**
 * `/loading?to=/console/tour/...&animation=/...`: plays an animation (`animation`: path of its description) until the
 * screen's code is loaded. Continues after a failure, too: the screen itself reports it.
 */
export function LoadingScreen() {
  const styles = useStyles();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const table = useService(Routes);
  const to = innerPath(query.get('to'));
  useEffect(() => {
    if (to === undefined) return undefined;
    let here = true;
    const goOn = () => {
      if (here) void navigate(to, { replace: true });
    };
    const route = table.match(to.split(/[?#]/)[0] ?? to);
    if (route === undefined) goOn();
    else void loadChunk(route.route.id, route.load).then(goOn, goOn);
    return () => {
      here = false;
    };
  }, [navigate, table, to]);
  return (
    <main className={styles.root}>
      <LaunchAnimation heading="h1" source={innerPath(query.get('animation'))} />
    </main>
  );
}
