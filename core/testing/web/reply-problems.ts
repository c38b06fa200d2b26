import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Value } from 'typebox/value';
import type { Endpoint } from '#core';

const root = path.resolve(import.meta.dirname, '../../..');
let endpoints: Promise<readonly Endpoint[]> | undefined;

/** The endpoints of core and of all plugins. */
async function loadEndpoints(): Promise<readonly Endpoint[]> {
  const plugins = readdirSync(path.join(root, 'plugins')).map((id) =>
    path.join(root, 'plugins', id, 'contract/api.ts'),
  );
  const files = [path.join(root, 'core/common/api/index.ts'), ...plugins.filter((file) => existsSync(file))];
  const modules = await Promise.all(files.map((file) => import(/* @vite-ignore */ file) as Promise<object>));
  return modules.flatMap((module) => Object.values(module).filter(isEndpoint));
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value;

/** Schema violations of a reply; empty for a call without an endpoint. */
export async function findReplyProblems(method: string, url: string, body: unknown): Promise<readonly string[]> {
  const segments = url.split('/');
  const matches = (await (endpoints ??= loadEndpoints())).filter((endpoint) => {
    const parts = endpoint.path.split('/');
    const isSame = (part: string, index: number): boolean => part === segments[index] || part.startsWith(':');
    return endpoint.method === method && parts.length === segments.length && parts.every(isSame);
  });
  // `/api/tour/:location` also matches `/api/tour/search`. The endpoint with fewer parameters applies.
  const [endpoint] = matches.toSorted((a, b) => a.path.split(':').length - b.path.split(':').length);
  if (!endpoint) return [];
  const sentBody: unknown = JSON.parse(JSON.stringify(body ?? {}));
  const [first] = Value.Errors(endpoint.reply, sentBody);
  return first ? [`The fake reply of ${method} ${url}: ${first.instancePath || '/'} ${first.message}.`] : [];
}
