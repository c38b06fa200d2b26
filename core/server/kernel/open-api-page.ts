import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenApiDocument, Operation } from './open-api.ts';

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:60rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin:2rem 0 .5rem}
details{border-block-end:1px solid #8884;padding:.5rem 0}summary{cursor:pointer}
code,pre{font:.85rem/1.45 ui-monospace,monospace}pre{overflow:auto;padding:.75rem;background:#8881;border-radius:4px}
.method{display:inline-block;min-width:4.5rem;font-weight:600}p{margin:.35rem 0}`;

/**
 * Serves `/api/openapi.json` and a readable page at `/api/docs`: plain HTML without a script.
 *
 * @param describe called once, at the first request
 * @param guard throws for callers who may not read it
 */
export function serveOpenApi(
  app: FastifyInstance,
  describe: () => OpenApiDocument,
  guard: (request: FastifyRequest) => Promise<void>,
): void {
  const routeOptions = { onRequest: guard };
  let document: OpenApiDocument | undefined;
  let page: Buffer | undefined;
  const getDocument = (): OpenApiDocument => (document ??= describe());
  const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  app.get('/api/openapi.json', routeOptions, async () => getDocument());
  app.get('/api/docs', routeOptions, async (_request, reply) =>
    reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send((page ??= Buffer.from(formatPage(getDocument())))),
  );
  app.get('/api/docs/style.css', routeOptions, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(style),
  );
}

function formatPage({ info, paths }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const sections = tags.map((tag) => {
    const tagOperations = operations.filter(({ operation }) => operation.tags.includes(tag));
    return `<section><h2>${escapeHtml(tag)}</h2>${tagOperations.map(({ path, method, operation }) => formatItem(path, method, operation)).join('')}</section>`;
  });
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" ' +
    `content="width=device-width,initial-scale=1"><title>API of ${escapeHtml(info.title)}</title><link rel="stylesheet" ` +
    `href="/api/docs/style.css"></head><body><main><h1>API of ${escapeHtml(info.title)}</h1><p>Version ` +
    `${escapeHtml(info.version)}. For programs: <a ` +
    `href="/api/openapi.json">openapi.json</a>.</p>${sections.join('')}</main></body></html>`
  );
}

function formatItem(path: string, method: string, operation: Operation): string {
  const { summary, description, parameters, requestBody, responses } = operation;
  const details = JSON.stringify({ parameters, requestBody, responses }, undefined, 2);
  return (
    '<details><summary><span ' +
    `class="method">${escapeHtml(method.toUpperCase())}</span><code>${escapeHtml(path)}</code></summary><p>${escapeHtml(summary)}</p><p>${escapeHtml(description)}</p><pre tabindex="0">${escapeHtml(details)}</pre></details>`
  );
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
