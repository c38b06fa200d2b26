import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useService } from '../../kernel/use-service.ts';
import { loadChunk } from '../../kernel/load-chunk.ts';
import { Routes } from '../../router/use-menu.ts';
import { makeStyles } from '../../ui/base.ts';
import { LaunchAnimation } from '../../ui/launch-animation.tsx';

const useStyles = makeStyles({ root: { display: 'grid', placeItems: 'center', minHeight: '100dvh' } });

/** Returns the path if it is on our own origin: one slash, not followed by a second slash or a backslash. */
const parseInnerPath = (path: string | null) => (path !== null && /^\/(?![/\\])/.test(path) ? path : undefined);

/**
 * The screen at `/loading?to=<path of a screen>&animation=<path of a description>`. It plays the animation until the
 * code of the screen is loaded. It also continues if the code fails to
 * load, because the screen then reports the failure.
 */
export function LoadingScreen() {
  const styles = useStyles();
  const [searchParams] = useSearchParams();
  const navigate = useNavigate();
  const table = useService(Routes);
  const to = parseInnerPath(searchParams.get('to'));
  useEffect(() => {
    if (to === undefined) return undefined;
    let mounted = true;
    const openScreen = () => {
      if (mounted) void navigate(to, { replace: true });
    };
    const route = table.match(to.split(/[?#]/)[0] ?? to);
    if (route === undefined) openScreen();
    else void loadChunk(route.routeRef.id, route.load).then(openScreen, openScreen);
    return () => {
      mounted = false;
    };
  }, [navigate, table, to]);
  return (
    <main className={styles.root}>
      <LaunchAnimation heading="h1" source={parseInnerPath(searchParams.get('animation'))} />
    </main>
  );
}
