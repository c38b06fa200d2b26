import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';
import type { Brand } from '../profile/resolved-profile.ts';
import type { BuildContext } from './build-context.ts';
import { browserTargets } from './web-bundle.ts';

/** The base styles of every page: the brand's theme, then the project's base. Minified. */
export async function createProductCss({ core }: BuildContext, brand: Pick<Brand, 'themeCss'>): Promise<string> {
  return minifyCss(`${brand.themeCss}\n${await readFile(core.baseCss, 'utf8')}`);
}

export async function minifyCss(css: string): Promise<string> {
  const { code } = await transform(css, {
    loader: 'css',
    minify: true,
    target: [...browserTargets],
    legalComments: 'none',
  });
  return code.trim();
}
