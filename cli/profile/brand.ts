import path from 'node:path';
import { basePath } from '#core';
import { renderIcon } from './brand-drawing.ts';
import { readBackgrounds, readDrawing, type DrawingName } from './brand-files.ts';
import { createBrandThemes } from './brand-themes.ts';
import type { Brand, ResolvedProfile } from './resolved-profile.ts';
import { formatThemeCss } from './theme-css.ts';

const iconSizes = [192, 512] as const;
/** The drawing of a maskable icon must be within the inner 80 % (W3C, Web Application Manifest). */
const maskableFraction = 0.6;

/** Creates theme, images, icons and web manifest from a customer's colour and logo. Deterministic. */
export async function createBrand(root: string, resolvedProfile: ResolvedProfile): Promise<Brand> {
  const { branding, title, shortName } = resolvedProfile.profile;
  const profilesFolder = path.dirname(resolvedProfile.file);
  const readOptionalDrawing = (name: DrawingName) => {
    const file = branding[name];
    return file === undefined ? undefined : readDrawing(profilesFolder, name, file);
  };
  const [logo, logoDark, customIcon, backgrounds] = await Promise.all([
    readDrawing(profilesFolder, 'logo', branding.logo),
    readOptionalDrawing('logoDark'),
    readOptionalDrawing('icon'),
    readBackgrounds(profilesFolder, branding.backgrounds),
  ]);
  const icon = customIcon ?? logo;
  const themes = createBrandThemes(branding.color);
  const buttonColor = themes.light.colorBrandBackground;
  const svg = Buffer.from(icon.content).toString('utf8');

  const files = new Map<string, Uint8Array>(
    [logo, ...(logoDark ? [logoDark] : []), ...backgrounds].map((file) => [file.path, file.content]),
  );
  files.set('favicon.svg', icon.content);
  for (const size of iconSizes) {
    files.set(`icons/icon-${size}.png`, renderIcon(svg, { size, fraction: 0.9 }));
    files.set(
      `icons/maskable-${size}.png`,
      renderIcon(svg, { size, fraction: maskableFraction, background: '#ffffff' }),
    );
  }
  files.set('icons/apple-touch-icon.png', renderIcon(svg, { size: 180, fraction: 0.8, background: '#ffffff' }));
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
    themeCss: formatThemeCss(themes),
    headTags: [
      `<link rel="icon" href="${basePath}/favicon.svg" type="image/svg+xml">`,
      `<link rel="apple-touch-icon" href="${basePath}/icons/apple-touch-icon.png">`,
      `<link rel="manifest" href="${basePath}/manifest.webmanifest">`,
      `<meta name="theme-color" content="${buttonColor}">`,
    ],
    contrasts: themes.contrasts,
    notes: themes.notes,
  };
}
