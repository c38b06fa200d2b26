import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagMatches } from './etag-matches.ts';
import type { PreparedReply } from './prepared-reply.ts';

/** Sends a prepared reply in the best encoding that the client accepts; 304 if the client has it. */
export function sendPrepared(
  prepared: PreparedReply,
  status: number,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  void reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '));
  if (etagMatches(request.headers['if-none-match'], prepared.etag))
    return reply.header('etag', prepared.etag).code(304).send();
  const accepted = String(request.headers['accept-encoding'] ?? '');
  void reply.code(status).type('application/json; charset=utf-8');
  if (prepared.brotli && takes(accepted, 'br'))
    return reply.header('etag', `W/${prepared.etag}`).header('content-encoding', 'br').send(prepared.brotli);
  if (prepared.gzip && takes(accepted, 'gzip'))
    return reply.header('etag', `W/${prepared.etag}`).header('content-encoding', 'gzip').send(prepared.gzip);
  return reply.header('etag', prepared.etag).header('content-encoding', 'identity').send(prepared.plain);
}

function takes(accepted: string, encoding: string): boolean {
  return accepted.split(',').some((part) => {
    const [name, quality] = part.trim().split(/\s*;\s*q=/);
    return name === encoding && Number(quality ?? 1) > 0;
  });
}
