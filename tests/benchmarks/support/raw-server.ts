import Fastify from 'fastify';
import { jwtVerify, SignJWT } from 'jose';
import pg from 'pg';
import { createItemsSql, readItem } from './item-endpoint.ts';

/**
 * The baseline for the benchmark of our endpoint, which checks access: the same endpoint, written with plain Fastify
 * and `pg`. It verifies a token (and caches it), looks up the account in memory, checks its flag and the request, and
 * replies with one row. It sends `{ address }` and `{ token }` to its parent.
 */
const key = new TextEncoder().encode('a secret of at least thirty-two bytes for the benchmark');
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
await pool.query(`create schema raw; set search_path to raw; ${createItemsSql}`);

const accounts = new Map([['somebody', { flags: new Set(['vrAccess']) }]]);
const verifiedTokens = new Map<string, { readonly account: string; readonly expiresAt: number }>();

async function findAccount(header: string | undefined): Promise<{ readonly flags: ReadonlySet<string> } | undefined> {
  if (header === undefined || !/^bearer /i.test(header)) return undefined;
  const token = header.slice(7).trim();
  const cached = verifiedTokens.get(token);
  if (cached !== undefined) return Date.now() < cached.expiresAt ? accounts.get(cached.account) : undefined;
  const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] });
  verifiedTokens.set(token, { account: payload.sub ?? '', expiresAt: (payload.exp ?? 0) * 1000 });
  return accounts.get(payload.sub ?? '');
}

const app = Fastify({ logger: false });
app.route<{ Params: { code: string } }>({
  method: 'GET',
  url: readItem.path,
  schema: { params: readItem.params, querystring: readItem.query, response: { 200: readItem.reply } },
  onRequest: async (request, reply) => {
    const account = await findAccount(request.headers.authorization);
    if (account?.flags.has('vrAccess') !== true) return reply.code(account === undefined ? 401 : 403).send();
  },
  handler: async ({ params }, reply) => {
    const { rows } = await pool.query('select id, code, name, amount, remark from raw.item where code = $1', [
      params.code,
    ]);
    return rows[0] ?? reply.code(404).send();
  },
});
const address = await app.listen({ host: '127.0.0.1', port: 0 });
const token = await new SignJWT({})
  .setProtectedHeader({ alg: 'HS256' })
  .setSubject('somebody')
  .setExpirationTime('1d')
  .sign(key);
process.send?.({ address, token });
