import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBundleHeaders } from '../../cli/bundle/headers.ts';
import { findDrawingProblem } from '../../cli/profile/brand-drawing.ts';
import { sanitiseSvg } from '../../core/server/files/svg-allow-list.ts';
import { formatBrowserTestTitle, launchBrowser, noBrowser } from './browser.ts';

/** A script that calls the recording server. `E` is replaced by the origin of that server. */
const script = `fetch('E/ran')`;
const buildDrawing = (content: string, attributes = ''): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ' +
  `xmlns:h="http://www.w3.org/1999/xhtml" viewBox="0 0 10 10" ${attributes}>${content}<rect width="10" height="10"/></svg>`;

const samples: Readonly<Record<string, string>> = {
  script: buildDrawing(`<script>${script}</script>`),
  'prefixed script': buildDrawing(`<s:script xmlns:s="http://www.w3.org/2000/svg">${script}</s:script>`),
  'script of HTML': buildDrawing(`<h:script>${script}</h:script>`),
  'outside script': buildDrawing('<script href="E/script.js"/>'),
  'event handler': buildDrawing('', `onload="${script}"`),
  'encoded event handler': buildDrawing('', `onload="&#102;etch('E/ran')"`),
  'javascript link': buildDrawing(`<a href="javascript:${script}"><rect width="10" height="10"/></a>`),
  'encoded javascript link': buildDrawing(
    `<a xlink:href="java&#10;script:${script}"><rect width="10" height="10"/></a>`,
  ),
  'set of a link': buildDrawing(
    `<a><set attributeName="href" to="javascript:${script}"/><rect width="10" height="10"/></a>`,
  ),
  'animated link': buildDrawing(
    `<a><animate attributeName="xlink:href" values="javascript:${script}"/><rect width="10" height="10"/></a>`,
  ),
  'handler of an animation': buildDrawing(`<rect><set attributeName="x" to="1" onbegin="${script}"/></rect>`),
  'foreign content': buildDrawing(
    `<foreignObject width="10" height="10"><h:img src="E/x.png" onerror="${script}"/></foreignObject>`,
  ),
  'style sheet': buildDrawing('<style>@import url(E/style.css); rect { fill: url(E/paint.svg#a) }</style>'),
  'style sheet instruction': `<?xml-stylesheet href="E/style.css" type="text/css"?>${buildDrawing('')}`,
  image: buildDrawing('<image href="E/image.png" width="10" height="10"/>'),
  'filter image': buildDrawing(
    '<filter id="f"><feImage href="E/image.png"/></filter><rect filter="url(#f)" width="10" height="10"/>',
  ),
  'outside filter': buildDrawing('<rect filter="url(E/filter.svg#f)" width="10" height="10"/>'),
  'outside mask': buildDrawing('<rect mask="url(E/mask.svg#m)" width="10" height="10"/>'),
  'mask of an image set': buildDrawing(
    `<rect style="mask-image: image-set('E/mask.png' 1x)" mask="image-set('E/m.png' 1x)" width="10" height="10"/>`,
  ),
  'outside use': buildDrawing('<use href="E/use.svg#a"/>'),
  'outside font': buildDrawing(
    '<style>@font-face{font-family:a;src:url(E/a.woff2)} text{font-family:a}</style><text>a</text>',
  ),
};

type Serve = (source: string) => { readonly body: string; readonly headers?: Record<string, string> };

describe.skipIf(noBrowser)(formatBrowserTestTitle('hostile SVG drawing opened as a page'), () => {
  let browser: Browser;
  let recordingServer: Server;
  let recordedUrls: string[];
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
    recordingServer = createServer((request, response) => {
      recordedUrls.push(request.url ?? '');
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
    });
    [browser] = await Promise.all([launchBrowser(), listen(recordingServer)]);
  });
  afterAll(async () => {
    if (noBrowser) return;
    await browser.close();
    await close(recordingServer);
  });

  /** Opens and clicks each sample. Returns the requests that it caused, by sample name. */
  async function openSamples(serve: Serve): Promise<Readonly<Record<string, readonly string[]>>> {
    const names = Object.keys(samples);
    recordedUrls = [];
    const server = createServer((request, response) => {
      const index = Number(request.url?.slice(1));
      const name = names[index];
      if (name === undefined) return void response.writeHead(404).end();
      const { body, headers } = serve(
        (samples[name] ?? '').replaceAll('E/', `${getOrigin(recordingServer)}/${index}/`),
      );
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
    const requests = names.map(
      (name, index) => [name, recordedUrls.filter((url) => url.startsWith(`/${index}/`))] as const,
    );
    return Object.fromEntries(requests.filter(([, urls]) => urls.length > 0));
  }

  it('runs scripts and fetches files without protection', async () => {
    const requests = await openSamples((source) => ({ body: source }));
    expect(Object.keys(requests).length).toBeGreaterThanOrEqual(15);
  });

  it('runs and fetches nothing under the content security policy of drawings', async () => {
    const pages = { 'index.html': '', 'login.html': '' };
    const headers = createBundleHeaders(pages)['/static/*.svg'];
    expect(await openSamples((source) => ({ body: source, headers: { ...headers } }))).toEqual({});
  });

  it('runs and fetches nothing after it was sanitised by the allow-list', async () => {
    expect(await openSamples((source) => ({ body: sanitiseSvg(source) }))).toEqual({});
  });

  it('is refused as a logo', () => {
    for (const [name, source] of Object.entries(samples))
      expect([name, findDrawingProblem(Buffer.from(source))?.cause]).toEqual([name, expect.any(String)]);
  });
});
