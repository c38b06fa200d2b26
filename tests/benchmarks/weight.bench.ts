import { atMost, type Bench } from './bench.ts';
import { ensureProduct, fullProfile } from './support/built-product.ts';

const toKibibytes = (bytes: number): number => bytes / 1024;

/** Measures the sizes of the full profile's scripts. Each file is compressed separately, as it is served. */
const bench: Bench = async (context) => {
  const { report } = await ensureProduct(context);
  const { signIn, shell, lazy } = report.sizes;
  // Sum of the chunks that the login page preloads for the shell.
  const preloadedBytes = lazy
    .filter(({ source }) => source.includes('node_modules/'))
    .reduce((sum, { gzip }) => sum + gzip, 0);
  const largest = lazy.reduce((largestPart, part) =>
    part.paths.length > largestPart.paths.length ? part : largestPart,
  );
  const profile = `profile ${fullProfile}, gzip -9`;
  return [
    atMost(150, { name: 'login scripts', value: toKibibytes(signIn.gzip), unit: 'KiB', against: profile }),
    atMost(110, { name: 'login scripts, stretch', value: toKibibytes(signIn.gzip), unit: 'KiB', against: profile }),
    atMost(8, { name: 'files at login', value: signIn.paths.length, unit: 'files', against: signIn.paths.join(' ') }),
    atMost(4, {
      name: 'new files for a route',
      value: largest.paths.length,
      unit: 'files',
      against: `the maximum of ${lazy.length} lazy parts: ${largest.source}`,
    }),
    atMost(95, {
      name: 'shell after login, without the chunks that the login page preloads',
      value: toKibibytes(shell.gzip),
      unit: 'KiB',
      against: `profile ${fullProfile}; preloaded chunks: ${toKibibytes(preloadedBytes).toFixed(1)} KiB more`,
    }),
  ];
};
export default bench;
