import { makeStyles } from '#core/ui';
import type { ViewSurface } from '#plugins/tour';

const useStyles = makeStyles({
  cross: { stroke: '#fff', strokeWidth: '1.5px', filter: 'drop-shadow(0 0 1px #000)' },
});

/** Marks the middle of a surface, at which the Enter key adds a point. */
export function Crosshair({ surface }: { readonly surface: ViewSurface }) {
  const styles = useStyles();
  const { width, height } = surface.host.getBoundingClientRect();
  return <path className={styles.cross} d={`M${width / 2 - 14} ${height / 2}h28M${width / 2} ${height / 2 - 14}v28`} />;
}
