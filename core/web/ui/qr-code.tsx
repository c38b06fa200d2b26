import { encode } from 'uqr';
import { makeStyles, tokens } from '@fluentui/react-components';

const useStyles = makeStyles({
  // Dark on light in each theme, because some scanners cannot read inverted codes.
  root: {
    justifySelf: 'center',
    width: '200px',
    height: '200px',
    backgroundColor: '#fff',
    borderRadius: tokens.borderRadiusMedium,
    forcedColorAdjust: 'none',
  },
});

/** Modules of light space around the code. @see ISO/IEC 18004 */
const border = 4;

/** A QR code. Renders nothing if the text is too long for one. */
export default function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const styles = useStyles();
  const modules = encodeModules(text);
  if (!modules) return null;
  const path = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles.root}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

function encodeModules(text: string): readonly (readonly boolean[])[] | undefined {
  try {
    return encode(text, { ecc: 'M', border }).data;
  } catch {
    return undefined;
  }
}
