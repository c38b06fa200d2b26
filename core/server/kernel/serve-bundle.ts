import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { routeUrl, basePath, contentHashedFolder, findPage, routes } from '#core';
import { notFound } from './server-error.ts';

const policyName = 'content-security-policy';

type Headers = Readonly<Record<string, string>>;

/**
 * `headers.json` of a build: headers for the sign-in pages (`/login`), the app (`/`) and content-addressed files
 * (`/static/`). Names in lower case.
 */
type BundleHeaders = Readonly<Record<'/login' | '/', Headers>> & Readonly<Partial<Record<string, Headers>>>;

/**
 * Serves the built web half at `/dashboard`, with the headers of the build's `headers.json` next to the folder (after
 * resolving links). Sends `.br` or `.gz` variants if they exist. Other paths are pages, chosen by `findPage`.
 *
 * @throws if the folder contains no product, or the pages would lack their security policy
 */
export async function serveBundle(app: FastifyInstance, folder: string): Promise<void> {
  const root = path.resolve(folder);
  if (!fs.existsSync(path.join(root, 'index.html')))
    throw new Error(`There is no built product in ${root}: index.html is missing. Run "walkdown build" first.`);
  const headers = readHeaders(path.join(path.dirname(fs.realpathSync(root)), 'headers.json'));
  const loginPath = `${basePath}${routeUrl(routes.login, {})}`;
  for (const urlPath of ['/', basePath, `${basePath}/`])
    app.get(urlPath, async (_request, reply) => reply.redirect(loginPath));
  await app.register(
    async (scope) => {
      const sendPage = (urlPath: string, reply: FastifyReply) =>
        reply
          .code(200)
          .headers(getHeaders(headers, findPage(urlPath)))
          .sendFile(findPage(urlPath));
      scope.addHook(
        'onRequest',
        async (request, reply) => void reply.headers(getHeaders(headers, toInnerPath(request))),
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

/** The extensions of files. A page's path may contain other dots, because location ids may. */
const fileName =
  /\.(?:m?js|css|map|json|webmanifest|html?|txt|xml|svg|png|jpe?g|gif|webp|avif|ico|woff2?|wasm|mp4|webm|php)$/i;

function toInnerPath({ url }: FastifyRequest): string {
  return (url.split('?')[0] ?? '').slice(basePath.length + 1);
}

/** Whether an unknown path is a screen and not a file. */
function isScreen(request: FastifyRequest): boolean {
  const innerPath = toInnerPath(request);
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    !innerPath.startsWith(contentHashedFolder) &&
    !fileName.test(innerPath)
  );
}

/** Scripts have the application's policy, because a worker obeys the policy of its script. */
function getHeaders(headers: BundleHeaders, name: string): Headers {
  if (name === 'login.html') return headers['/login'];
  if (name === 'index.html') return headers['/'];
  const contentHeaders = name.startsWith(contentHashedFolder) ? headers[`/${contentHashedFolder}`] : undefined;
  const policy = headers['/'][policyName];
  return {
    'cache-control': 'no-cache',
    ...contentHeaders,
    ...(/\.m?js$/.test(name) && policy !== undefined ? { [policyName]: policy } : {}),
    ...(isSvg(name) ? { [policyName]: svgPolicy, ...headers['/*.svg'], ...contentHeaders } : {}),
  };
}

/** The default if `headers.json` has none for SVG files. An SVG opened as a page executes and fetches nothing. */
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** Checks the requested path, which may be percent-encoded. */
function isSvg(name: string): boolean {
  try {
    return /\.svg$/i.test(decodeURIComponent(name));
  } catch {
    return false;
  }
}

function readHeaders(file: string): BundleHeaders {
  const createError = (cause: string): Error =>
    new Error(
      `${file} ${cause}: pages would be sent without their security policy. Copy it from the build, where it is ` +
        'next to the folder "web", or build the product again.',
    );
  if (!fs.existsSync(file)) throw createError('is missing');
  let content: unknown;
  try {
    content = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    throw createError('is not valid JSON');
  }
  if (!isBundleHeaders(content)) throw createError(`has no "${policyName}" for "/" or "/login"`);
  return content;
}

function isBundleHeaders(value: unknown): value is BundleHeaders {
  const headers = value as Partial<BundleHeaders> | null;
  return (['/', '/login'] as const).every((page) => typeof headers?.[page]?.[policyName] === 'string');
}
