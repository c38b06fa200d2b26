import path from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { createLightTheme } from '@fluentui/tokens';
import { basePath } from '#core';
import { backgroundFiles, logoFile } from './brand-files.ts';
import { brandRamp } from './brand-ramp.ts';
import type { Brand, ResolvedProfile } from './resolved-profile.ts';
import { themeCss } from './theme-css.ts';

const iconSizes = [192, 512] as const;
/** A maskable icon keeps its drawing within the inner 80 % (W3C, Web Application Manifest). */
const maskableShare = 0.6;

/**
 * What a customer's one colour and one logo become: theme, pictures, icons, web manifest. The same input gives the same
 * bytes.
 */
export async function makeBrand(root: string, resolved: ResolvedProfile): Promise<Brand> {
  const { branding, title, shortName } = resolved.profile;
  const profilesFolder = path.join(root, 'profiles');
  const [logo, backgrounds] = await Promise.all([
    logoFile(profilesFolder, branding.logo),
    backgroundFiles(profilesFolder, branding.backgrounds),
  ]);
  const ramp = brandRamp(branding.color);
  const buttonColor = createLightTheme(ramp.light).colorBrandBackground;
  const svg = Buffer.from(logo.content).toString('utf8');

  const files = new Map<string, Uint8Array>([logo, ...backgrounds].map((file) => [file.path, file.content]));
  files.set('favicon.svg', logo.content);
  for (const size of iconSizes) {
    files.set(`icons/icon-${size}.png`, icon(svg, size, 0.9, undefined));
    files.set(`icons/maskable-${size}.png`, icon(svg, size, maskableShare, '#ffffff'));
  }
  files.set('icons/apple-touch-icon.png', icon(svg, 180, 0.8, '#ffffff'));
  const manifest = {
    name: title,
    short_name: shortName,
    id: `${basePath}/`,
    start_url: `${basePath}/console/home`,
    scope: `${basePath}/`,
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: buttonColor,
    icons: iconSizes.flatMap((size) => [
      { src: `${basePath}/icons/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose: 'any' },
      {
        src: `${basePath}/icons/maskable-${size}.png`,
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose: 'maskable',
      },
    ]),
  };
  files.set('manifest.webmanifest', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));

  return {
    files,
    themeCss: themeCss(ramp),
    headTags: [
      `<link rel="icon" href="${basePath}/favicon.svg" type="image/svg+xml">`,
      `<link rel="apple-touch-icon" href="${basePath}/icons/apple-touch-icon.png">`,
      `<link rel="manifest" href="${basePath}/manifest.webmanifest">`,
      `<meta name="theme-color" content="${buttonColor}">`,
    ],
    notes:
      ramp.darkenedTo === undefined
        ? []
        : [`White text on ${branding.color} could not be read: buttons and links use ${ramp.darkenedTo}.`],
  };
}

/** The logo, centred on a square, as PNG. `share`: the part of the side that it fills. */
function icon(svg: string, size: number, share: number, background: string | undefined): Uint8Array {
  const viewBox = /viewBox\s*=\s*["']([^"']+)["']/.exec(svg)?.[1] ?? '0 0 100 100';
  const [left = 0, top = 0, width = 100, height = 100] = viewBox.split(/[\s,]+/).map(Number);
  const side = Math.max(width, height) / share;
  const frame = [left + width / 2 - side / 2, top + height / 2 - side / 2, side, side];
  const plate =
    background === undefined
      ? ''
      : `<rect x="${frame[0]}" y="${frame[1]}" width="${side}" height="${side}" fill="${background}"/>`;
  const nested = svg
    .replace(/<\?xml[^>]*\?>/, '')
    .replace(
      /<svg([^>]*)>/,
      (_, attributes: string) =>
        `<svg${attributes.replace(/\s(x|y|width|height)\s*=\s*["'][^"']*["']/g, '')} x="${left}" y="${top}" ` +
        `width="${width}" height="${height}">`,
    );
  const square = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${frame.join(' ')}">${plate}${nested}</svg>`;
  return new Resvg(square, { fitTo: { mode: 'width', value: size }, font: { loadSystemFonts: false } })
    .render()
    .asPng();
}
