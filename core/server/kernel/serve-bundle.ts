import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { basePath } from '#core';
import { notFound } from './server-error.ts';

type Headers = Readonly<Record<string, string>>;

/** Paths of the sign-in pages, below the base path: all else inside it is a screen of the application. */
const signInPath = /^\/(login|adminlogin)(\/|$)/;
const forGood = 'public, max-age=31536000, immutable';
const fallbackPolicy = "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'";
const pagePolicy: Headers = { 'content-security-policy': fallbackPolicy };

/**
 * Serves the built web half at `/dashboard`. What lies under `static/` bears a hash of its content in its name and is kept for good; all else is asked for again each time (ETag).
 * Every inner path without a file of its own is a page: `login.html` for the sign-in paths, `index.html` for the rest.
 *
 * Beside the folder the build leaves `headers.json`, `{ "/login": {...}, "/": {...} }`: the headers of the two pages, above all their content security policy.
 * Files that are there as `.br` or `.gz` too are sent so.
 */
export async function serveBundle(app: FastifyInstance, folder: string): Promise<void> {
  const root = path.resolve(folder);
  const headers = readHeaders(path.join(path.dirname(root), 'headers.json'));
  await app.register(fastifyStatic, {
    root,
    prefix: `${basePath}/`,
    index: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'deny',
    setHeaders: (response, file) => {
      const name = path.relative(root, file).replaceAll(path.sep, '/');
      response.setHeader('cache-control', name.startsWith('static/') ? forGood : 'no-cache');
      if (name === 'sw.js') response.setHeader('service-worker-allowed', `${basePath}/`);
      if (name.endsWith('.html')) setAll(response, name.startsWith('login.html') ? headers.signIn : headers.application);
      // A worker obeys the policy that came with its script.
      if (/\.m?js$/.test(name)) response.setHeader('content-security-policy', headers.application['content-security-policy'] ?? fallbackPolicy);
    },
  });
  app.get('/', async (_request, reply) => reply.redirect(`${basePath}/`));
  app.get(basePath, async (_request, reply) => reply.redirect(`${basePath}/`));
  app.get(`${basePath}/`, async (_request, reply) => reply.sendFile('index.html'));
  app.setNotFoundHandler(async (request, reply) => answerUnknown(request, reply));
}

/** An unknown path inside the base path is a screen, unless it asks for a file. */
async function answerUnknown(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const [address = ''] = request.url.split('?');
  const inner = address.startsWith(`${basePath}/`) ? address.slice(basePath.length) : undefined;
  const isPage = inner !== undefined && (request.method === 'GET' || request.method === 'HEAD') && !inner.startsWith('/static/') && !/\.[a-z0-9]{1,8}$/i.test(inner);
  if (!isPage) throw notFound('This address');
  return reply.sendFile(signInPath.test(inner) ? 'login.html' : 'index.html');
}

function setAll(response: { setHeader(name: string, value: string): unknown }, headers: Headers): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function readHeaders(file: string): { readonly signIn: Headers; readonly application: Headers } {
  if (!fs.existsSync(file)) return { signIn: pagePolicy, application: pagePolicy };
  const read: Partial<Record<string, Headers>> = JSON.parse(fs.readFileSync(file, 'utf8'));
  return { signIn: lowerCased(read['/login'] ?? pagePolicy), application: lowerCased(read['/'] ?? pagePolicy) };
}

/** Header names are compared without regard to case; one spelling only, or an answer would bear two policies. */
const lowerCased = (headers: Headers): Headers => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
