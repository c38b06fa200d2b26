import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { basePath, namedAfterContent, pageOf } from '#core';
import { notFound } from './server-error.ts';

type Headers = Readonly<Record<string, string>>;

/** `headers.json` of a build: what is sent with the page of the sign-in paths (`/login`), with the app's (`/`), and with what is named after its content (`/static/`). Names in lower case. */
type BundleHeaders = Readonly<Partial<Record<string, Headers>>>;

const strictPolicy = "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'";
const strictPage: Headers = { 'cache-control': 'no-cache', 'content-security-policy': strictPolicy };
/** For a folder without `headers.json`. */
const strictHeaders: BundleHeaders = { '/login': strictPage, '/': strictPage, [`/${namedAfterContent}`]: { 'cache-control': 'public, max-age=31536000, immutable' } };

/**
 * Serves the built web half at `/dashboard`, with the headers of the `headers.json` that the build leaves beside the folder. Files that are there as `.br` or `.gz` too are sent so.
 * Every inner path without a file of its own is a page: which one, `pageOf` says.
 */
export async function serveBundle(app: FastifyInstance, folder: string): Promise<void> {
  const root = path.resolve(folder);
  if (!fs.existsSync(path.join(root, 'index.html'))) throw new Error(`There is no built product in ${root}: index.html is missing. Run "walkdown build" first.`);
  const headers = readHeaders(path.join(path.dirname(root), 'headers.json'));
  await app.register(fastifyStatic, {
    root,
    prefix: `${basePath}/`,
    index: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'deny',
    setHeaders: (response, file) => setAll(response, headersOf(headers, path.relative(root, file).replaceAll(path.sep, '/'))),
  });
  app.get('/', async (_request, reply) => reply.redirect(`${basePath}/`));
  app.get(basePath, async (_request, reply) => reply.redirect(`${basePath}/`));
  app.get(`${basePath}/`, async (_request, reply) => reply.sendFile(pageOf('')));
  app.setNotFoundHandler(async (request, reply) => answerUnknown(request, reply));
}

/** `name` may end in `.br` or `.gz`. A worker obeys the policy that came with its script, so scripts bear the application's. */
function headersOf(headers: BundleHeaders, name: string): Headers {
  const plain = name.replace(/\.(br|gz)$/, '');
  if (plain === 'login.html') return headers['/login'] ?? strictPage;
  if (plain === 'index.html') return headers['/'] ?? strictPage;
  const kept = name.startsWith(namedAfterContent) ? headers[`/${namedAfterContent}`] : undefined;
  const policy = headers['/']?.['content-security-policy'];
  return { 'cache-control': 'no-cache', ...kept, ...(/\.m?js$/.test(plain) && policy !== undefined ? { 'content-security-policy': policy } : {}) };
}

/** An unknown path inside the base path is a screen, unless it asks for a file. */
async function answerUnknown(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const [address = ''] = request.url.split('?');
  const inner = address.startsWith(`${basePath}/`) ? address.slice(basePath.length + 1) : undefined;
  const isPage = inner !== undefined && (request.method === 'GET' || request.method === 'HEAD') && !inner.startsWith(namedAfterContent) && !/\.[a-z0-9]{1,8}$/i.test(inner);
  if (!isPage) throw notFound('This address');
  return reply.code(200).sendFile(pageOf(inner));
}

function setAll(response: { setHeader(name: string, value: string): unknown }, headers: Headers): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function readHeaders(file: string): BundleHeaders {
  if (!fs.existsSync(file)) return strictHeaders;
  const read: BundleHeaders = JSON.parse(fs.readFileSync(file, 'utf8'));
  return read;
}
