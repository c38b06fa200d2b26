import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { basePath, contentHashedFolder, findPage } from '#core';
import type { BundleHeaders } from '../../cli/bundle/headers.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.html': 'text/html',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** Serves the web folder of a built product with its required headers. `origin` has no trailing slash. */
export async function serveWeb(
  productFolder: string,
): Promise<{ readonly origin: string; readonly close: () => Promise<void> }> {
  const headers = JSON.parse(await readFile(path.join(productFolder, 'headers.json'), 'utf8')) as BundleHeaders;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const webPath = pathname.slice(basePath.length + 1);
    const send = (file: string, content: Buffer) => {
      const fileHeaders = {
        ...headers[file === 'login.html' ? '/login' : file.startsWith(contentHashedFolder) ? '/static/' : '/'],
        ...(file.endsWith('.svg') ? headers['/*.svg'] : {}),
      };
      response
        .writeHead(200, {
          ...fileHeaders,
          'content-type': contentTypes[path.extname(file)] ?? 'application/octet-stream',
        })
        .end(content);
    };
    const requestedFile = webPath === '' ? findPage('/') : webPath;
    readFile(path.join(productFolder, 'web', requestedFile)).then(
      (content) => send(requestedFile, content),
      () => {
        if (path.extname(requestedFile) !== '') response.writeHead(404).end();
        else
          void readFile(path.join(productFolder, 'web', findPage(webPath))).then((content) =>
            send(findPage(webPath), content),
          );
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
