import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleHeaders } from '../../cli/bundle/headers.ts';
import { drawingProblem } from '../../cli/profile/brand-drawing.ts';
import { safeSvg } from '../../core/server/files/svg-allow-list.ts';
import { inBrowser, launchBrowser, noBrowser } from './browser.ts';

/** `E` is replaced by the origin that records what runs or is fetched. */
const runs = `fetch('E/ran')`;
const drawing = (inside: string, attributes = ''): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ' +
  `xmlns:h="http://www.w3.org/1999/xhtml" viewBox="0 0 10 10" ${attributes}>${inside}<rect width="10" height="10"/></svg>`;

const samples: Readonly<Record<string, string>> = {
  script: drawing(`<script>${runs}</script>`),
  'prefixed script': drawing(`<s:script xmlns:s="http://www.w3.org/2000/svg">${runs}</s:script>`),
  'script of HTML': drawing(`<h:script>${runs}</h:script>`),
  'outside script': drawing('<script href="E/script.js"/>'),
  'event handler': drawing('', `onload="${runs}"`),
  'encoded event handler': drawing('', `onload="&#102;etch('E/ran')"`),
  'javascript link': drawing(`<a href="javascript:${runs}"><rect width="10" height="10"/></a>`),
  'encoded javascript link': drawing(`<a xlink:href="java&#10;script:${runs}"><rect width="10" height="10"/></a>`),
  'set of a link': drawing(`<a><set attributeName="href" to="javascript:${runs}"/><rect width="10" height="10"/></a>`),
  'animated link': drawing(
    `<a><animate attributeName="xlink:href" values="javascript:${runs}"/><rect width="10" height="10"/></a>`,
  ),
  'handler of an animation': drawing(`<rect><set attributeName="x" to="1" onbegin="${runs}"/></rect>`),
  'foreign content': drawing(
    `<foreignObject width="10" height="10"><h:img src="E/x.png" onerror="${runs}"/></foreignObject>`,
  ),
  'style sheet': drawing('<style>@import url(E/style.css); rect { fill: url(E/paint.svg#a) }</style>'),
  'style sheet instruction': `<?xml-stylesheet href="E/style.css" type="text/css"?>${drawing('')}`,
  image: drawing('<image href="E/image.png" width="10" height="10"/>'),
  'filter image': drawing(
    '<filter id="f"><feImage href="E/image.png"/></filter><rect filter="url(#f)" width="10" height="10"/>',
  ),
  'outside filter': drawing('<rect filter="url(E/filter.svg#f)" width="10" height="10"/>'),
  'outside mask': drawing('<rect mask="url(E/mask.svg#m)" width="10" height="10"/>'),
  'mask of an image set': drawing(
    `<rect style="mask-image: image-set('E/mask.png' 1x)" mask="image-set('E/m.png' 1x)" width="10" height="10"/>`,
  ),
  'outside use': drawing('<use href="E/use.svg#a"/>'),
  'outside font': drawing(
    '<style>@font-face{font-family:a;src:url(E/a.woff2)} text{font-family:a}</style><text>a</text>',
  ),
};

type Served = (source: string) => { readonly body: string; readonly headers?: Record<string, string> };

describe.skipIf(noBrowser)(inBrowser('hostile SVG drawing opened as a page'), () => {
  let browser: Browser;
  let evil: Server;
  let recorded: string[];
  const getOrigin = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const listen = (server: Server): Promise<void> =>
    new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const close = (server: Server): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  beforeAll(async () => {
    if (noBrowser) return;
    evil = createServer((request, response) => {
      recorded.push(request.url ?? '');
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
    });
    [browser] = await Promise.all([launchBrowser(), listen(evil)]);
  });
  afterAll(async () => {
    if (noBrowser) return;
    await browser.close();
    await close(evil);
  });

  /** What each sample ran or fetched when opened and clicked, by sample name. */
  async function open(serve: Served): Promise<Readonly<Record<string, readonly string[]>>> {
    const names = Object.keys(samples);
    recorded = [];
    const server = createServer((request, response) => {
      const index = Number(request.url?.slice(1));
      const name = names[index];
      if (name === undefined) return void response.writeHead(404).end();
      const { body, headers } = serve((samples[name] ?? '').replaceAll('E/', `${getOrigin(evil)}/${index}/`));
      response.writeHead(200, { ...headers, 'content-type': 'image/svg+xml' }).end(body);
    });
    await listen(server);
    const context = await browser.newContext();
    try {
      await Promise.all(
        names.map(async (_, index) => {
          const page = await context.newPage();
          await page.goto(`${getOrigin(server)}/${index}`);
          await page.mouse.click(200, 200);
          await page.waitForLoadState('networkidle');
        }),
      );
    } finally {
      await context.close();
      await close(server);
    }
    const found = names.map((name, index) => [name, recorded.filter((url) => url.startsWith(`/${index}/`))] as const);
    return Object.fromEntries(found.filter(([, urls]) => urls.length > 0));
  }

  it('runs scripts and fetches without protection, so the samples work', async () => {
    const found = await open((source) => ({ body: source }));
    expect(Object.keys(found).length).toBeGreaterThanOrEqual(15);
  });

  it('runs and fetches nothing under the content security policy of drawings', async () => {
    const pages = { 'index.html': '', 'login.html': '' };
    const headers = bundleHeaders(pages)['/static/*.svg'];
    expect(await open((source) => ({ body: source, headers: { ...headers } }))).toEqual({});
  });

  it('runs and fetches nothing after sanitising by the allow-list', async () => {
    expect(await open((source) => ({ body: safeSvg(source) }))).toEqual({});
  });

  it('is refused as a logo', () => {
    for (const [name, source] of Object.entries(samples))
      expect([name, drawingProblem(Buffer.from(source))?.cause]).toEqual([name, expect.any(String)]);
  });
});
