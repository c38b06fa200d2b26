import { atMost, type Bench } from './bench.ts';
import { builtProduct, fullProfile } from './support/built-product.ts';

const kibibytes = (bytes: number): number => bytes / 1024;

/** Compressed sizes of the full profile's scripts, each file compressed separately as it is served. */
const bench: Bench = async (context) => {
  const { report } = await builtProduct(context);
  const { signIn, shell, lazy } = report.sizes;
  // Chunks that only the login page preloads. They are loaded before sign-in, but count as bytes of the path to the
  // shell.
  const ahead = lazy.filter(({ source }) => source.includes('node_modules/')).reduce((sum, { gzip }) => sum + gzip, 0);
  const largest = lazy.reduce((most, part) => (part.files.length > most.files.length ? part : most));
  const profile = `profile ${fullProfile}, gzip -9`;
  return [
    atMost(150, { name: 'login scripts', value: kibibytes(signIn.gzip), unit: 'KiB', against: profile }),
    atMost(110, { name: 'login scripts, stretch', value: kibibytes(signIn.gzip), unit: 'KiB', against: profile }),
    atMost(8, { name: 'files at login', value: signIn.files.length, unit: 'files', against: signIn.files.join(' ') }),
    atMost(4, {
      name: 'new files for a route',
      value: largest.files.length,
      unit: 'files',
      against: `the most of ${lazy.length} lazy parts: ${largest.source}`,
    }),
    atMost(95, {
      name: 'shell after login, without what the login fetches once it is painted',
      value: kibibytes(shell.gzip),
      unit: 'KiB',
      against: `profile ${fullProfile}; axios and the like: ${kibibytes(ahead).toFixed(1)} KiB more`,
    }),
  ];
};
export default bench;
