import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { routeAddress, basePath, namedAfterContent, findPage, routes } from '#core';
import { notFound } from './server-error.ts';

const policyName = 'content-security-policy';

type Headers = Readonly<Record<string, string>>;

/**
 * `headers.json` of a build: what is sent with the page of the sign-in paths (`/login`), with the app's (`/`), and with
 * what is named after its content (`/static/`). Names in lower case.
 */
type BundleHeaders = Readonly<Record<'/login' | '/', Headers>> & Readonly<Partial<Record<string, Headers>>>;

/**
 * Serves the built web half at `/dashboard`, with the headers of the `headers.json` that the build leaves beside the
 * folder (beside what it links to, where it is a link). Files that are there as `.br` or `.gz` too are sent so. Every
 * inner path without a file of its own is a page: which one, `pageOf` says.
 *
 * @throws if the folder holds no product, or its pages would be sent without their security policy
 */
export async function serveBundle(app: FastifyInstance, folder: string): Promise<void> {
  const root = path.resolve(folder);
  if (!fs.existsSync(path.join(root, 'index.html')))
    throw new Error(`There is no built product in ${root}: index.html is missing. Run "walkdown build" first.`);
  const headers = readHeaders(path.join(path.dirname(fs.realpathSync(root)), 'headers.json'));
  const start = `${basePath}${routeAddress(routes.login, {})}`;
  for (const address of ['/', basePath, `${basePath}/`])
    app.get(address, async (_request, reply) => reply.redirect(start));
  await app.register(
    async (scope) => {
      const sendPage = (path: string, reply: FastifyReply) =>
        reply
          .code(200)
          .headers(headersFor(headers, findPage(path)))
          .sendFile(findPage(path));
      scope.addHook(
        'onRequest',
        async (request, reply) => void reply.headers(headersFor(headers, toInnerPath(request))),
      );
      scope.setNotFoundHandler(async (request, reply) => {
        if (!isScreen(request)) throw notFound('This address');
        return sendPage(toInnerPath(request), reply);
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

function toInnerPath({ url }: FastifyRequest): string {
  return (url.split('?')[0] ?? '').slice(basePath.length + 1);
}

/** An unknown path is a screen, unless it asks for a file. */
function isScreen(request: FastifyRequest): boolean {
  const path = toInnerPath(request);
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    !path.startsWith(namedAfterContent) &&
    !fileName.test(path)
  );
}

/** A worker obeys the policy that came with its script, so scripts bear the application's. */
function headersFor(headers: BundleHeaders, name: string): Headers {
  if (name === 'login.html') return headers['/login'];
  if (name === 'index.html') return headers['/'];
  const kept = name.startsWith(namedAfterContent) ? headers[`/${namedAfterContent}`] : undefined;
  const policy = headers['/'][policyName];
  return {
    'cache-control': 'no-cache',
    ...kept,
    ...(/\.m?js$/.test(name) && policy !== undefined ? { [policyName]: policy } : {}),
    ...(isDrawing(name) ? { [policyName]: drawingPolicy, ...headers['/*.svg'], ...kept } : {}),
  };
}

/** For a `headers.json` that does not name drawings: one that is opened by itself runs and fetches nothing. */
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** Of the path as it was asked for, which may be percent-encoded. */
function isDrawing(name: string): boolean {
  try {
    return /\.svg$/i.test(decodeURIComponent(name));
  } catch {
    return false;
  }
}

function readHeaders(file: string): BundleHeaders {
  const problem = (cause: string): Error =>
    new Error(
      `${file} ${cause}: pages would be sent without their security policy. Take it from the build, where it lies ` +
        'beside the folder "web", or build the product again.',
    );
  if (!fs.existsSync(file)) throw problem('is missing');
  let read: unknown;
  try {
    read = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    throw problem('is not valid JSON');
  }
  if (!isBundleHeaders(read)) throw problem(`has no "${policyName}" for "/" or "/login"`);
  return read;
}

function isBundleHeaders(value: unknown): value is BundleHeaders {
  const found = value as Partial<BundleHeaders> | null;
  return (['/', '/login'] as const).every((page) => typeof found?.[page]?.[policyName] === 'string');
}
