import Fastify from 'fastify';
import { jwtVerify, SignJWT } from 'jose';
import pg from 'pg';
import { createItems, readItem } from './item-endpoint.ts';

/**
 * Program: the baseline of the guarded endpoint. Plain Fastify and `pg` verify a token (and cache it), look up the
 * account in memory, check its flag and the request, and answer one row by the same schema. Sends `{ address }` and `{
 * token }` to its parent.
 */
const key = new TextEncoder().encode('a secret of at least thirty-two bytes for this trial');
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
await pool.query(`create schema raw; set search_path to raw; ${createItems}`);

const accounts = new Map([['somebody', { flags: new Set(['vrAccess']) }]]);
const verified = new Map<string, { readonly account: string; readonly until: number }>();

async function findAccount(header: string | undefined): Promise<{ readonly flags: ReadonlySet<string> } | undefined> {
  if (header === undefined || !/^bearer /i.test(header)) return undefined;
  const token = header.slice(7).trim();
  const known = verified.get(token);
  if (known !== undefined) return Date.now() < known.until ? accounts.get(known.account) : undefined;
  const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] });
  verified.set(token, { account: payload.sub ?? '', until: (payload.exp ?? 0) * 1000 });
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
