import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { basePath, namedAfterContent, pageOf, type BundleHeaders } from '#core';
import { notFound } from './server-error.ts';

const strictPolicy = "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'";

/** For a folder without `headers.json`: nothing but our own files, kept as the build would say. */
const strictHeaders: BundleHeaders = {
  all: {},
  pages: { 'index.html': { 'content-security-policy': strictPolicy }, 'login.html': { 'content-security-policy': strictPolicy } },
  cacheControl: { namedAfterContent: 'public, max-age=31536000, immutable', other: 'no-cache' },
};

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
function headersOf({ all, pages, cacheControl }: BundleHeaders, name: string): Readonly<Record<string, string>> {
  const kept = { 'cache-control': name.startsWith(namedAfterContent) ? cacheControl.namedAfterContent : cacheControl.other };
  const plain = name.replace(/\.(br|gz)$/, '');
  if (plain === 'login.html' || plain === 'index.html') return { ...all, ...kept, ...pages[plain] };
  const policy = pages['index.html']['content-security-policy'];
  return /\.m?js$/.test(plain) && policy !== undefined ? { ...all, ...kept, 'content-security-policy': policy } : { ...all, ...kept };
}

/** An unknown path inside the base path is a screen, unless it asks for a file. */
async function answerUnknown(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const [address = ''] = request.url.split('?');
  const inner = address.startsWith(`${basePath}/`) ? address.slice(basePath.length + 1) : undefined;
  const isPage = inner !== undefined && (request.method === 'GET' || request.method === 'HEAD') && !inner.startsWith(namedAfterContent) && !/\.[a-z0-9]{1,8}$/i.test(inner);
  if (!isPage) throw notFound('This address');
  return reply.code(200).sendFile(pageOf(inner));
}

function setAll(response: { setHeader(name: string, value: string): unknown }, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function readHeaders(file: string): BundleHeaders {
  if (!fs.existsSync(file)) return strictHeaders;
  const read: BundleHeaders = JSON.parse(fs.readFileSync(file, 'utf8'));
  return read;
}
