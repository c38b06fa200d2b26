import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressOf, basePath, namedAfterContent, pageOf, routes } from '#core';
import { notFound } from './server-error.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * `headers.json` of a build: what is sent with the page of the sign-in paths (`/login`), with the app's (`/`), and with
 * what is named after its content (`/static/`). Names in lower case.
 */
type BundleHeaders = Readonly<Partial<Record<string, Headers>>>;

const strictPolicy = "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'";
const strictPage: Headers = { 'cache-control': 'no-cache', 'content-security-policy': strictPolicy };
/** For a folder without `headers.json`. */
const strictHeaders: BundleHeaders = {
  '/login': strictPage,
  '/': strictPage,
  [`/${namedAfterContent}`]: { 'cache-control': 'public, max-age=31536000, immutable' },
};

/**
 * Serves the built web half at `/dashboard`, with the headers of the `headers.json` that the build leaves beside the
 * folder. Files that are there as `.br` or `.gz` too are sent so. Every inner path without a file of its own is a page:
 * which one, `pageOf` says.
 */
export async function serveBundle(app: FastifyInstance, folder: string): Promise<void> {
  const root = path.resolve(folder);
  if (!fs.existsSync(path.join(root, 'index.html')))
    throw new Error(`There is no built product in ${root}: index.html is missing. Run "walkdown build" first.`);
  const headers = readHeaders(path.join(path.dirname(root), 'headers.json'));
  const start = `${basePath}${addressOf(routes.login, {})}`;
  for (const address of ['/', basePath, `${basePath}/`])
    app.get(address, async (_request, reply) => reply.redirect(start));
  await app.register(
    async (scope) => {
      const sendPage = (path: string, reply: FastifyReply) =>
        reply
          .code(200)
          .headers(headersOf(headers, pageOf(path)))
          .sendFile(pageOf(path));
      scope.addHook(
        'onRequest',
        async (request, reply) => void reply.headers(headersOf(headers, innerPathOf(request))),
      );
      scope.setNotFoundHandler(async (request, reply) => {
        if (!isScreen(request)) throw notFound('This address');
        return sendPage(innerPathOf(request), reply);
      });
      await scope.register(fastifyStatic, {
        root,
        prefix: '/',
        index: false,
        preCompressed: true,
        cacheControl: false,
        dotfiles: 'deny',
      });
    },
    { prefix: basePath },
  );
}

/** What browsers ask for as files; the id of a location may hold a dot too. */
const fileName =
  /\.(?:m?js|css|map|json|webmanifest|html?|txt|xml|svg|png|jpe?g|gif|webp|avif|ico|woff2?|wasm|mp4|webm|php)$/i;

function innerPathOf({ url }: FastifyRequest): string {
  return (url.split('?')[0] ?? '').slice(basePath.length + 1);
}

/** An unknown path is a screen, unless it asks for a file. */
function isScreen(request: FastifyRequest): boolean {
  const path = innerPathOf(request);
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    !path.startsWith(namedAfterContent) &&
    !fileName.test(path)
  );
}

/** A worker obeys the policy that came with its script, so scripts bear the application's. */
function headersOf(headers: BundleHeaders, name: string): Headers {
  if (name === 'login.html') return headers['/login'] ?? strictPage;
  if (name === 'index.html') return headers['/'] ?? strictPage;
  const kept = name.startsWith(namedAfterContent) ? headers[`/${namedAfterContent}`] : undefined;
  const policy = headers['/']?.['content-security-policy'];
  return {
    'cache-control': 'no-cache',
    ...kept,
    ...(/\.m?js$/.test(name) && policy !== undefined ? { 'content-security-policy': policy } : {}),
  };
}

function readHeaders(file: string): BundleHeaders {
  if (!fs.existsSync(file)) return strictHeaders;
  const read: BundleHeaders = JSON.parse(fs.readFileSync(file, 'utf8'));
  return read;
}
