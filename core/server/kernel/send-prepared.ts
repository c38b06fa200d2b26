import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagMatches } from './etag-matches.ts';
import type { PreparedReply } from './prepared-reply.ts';

/** Sends a prepared reply in the best encoding that the client accepts, or 304 if the client's copy is current. */
export function sendPrepared(
  preparedReply: PreparedReply,
  status: number,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  void reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '));
  if (etagMatches(request.headers['if-none-match'], preparedReply.etag))
    return reply.header('etag', preparedReply.etag).code(304).send();
  const acceptedEncodings = String(request.headers['accept-encoding'] ?? '');
  void reply.code(status).type('application/json; charset=utf-8');
  if (preparedReply.brotli && acceptsEncoding(acceptedEncodings, 'br'))
    return reply.header('etag', `W/${preparedReply.etag}`).header('content-encoding', 'br').send(preparedReply.brotli);
  if (preparedReply.gzip && acceptsEncoding(acceptedEncodings, 'gzip'))
    return reply.header('etag', `W/${preparedReply.etag}`).header('content-encoding', 'gzip').send(preparedReply.gzip);
  return reply.header('etag', preparedReply.etag).header('content-encoding', 'identity').send(preparedReply.plain);
}

function acceptsEncoding(acceptedEncodings: string, encoding: string): boolean {
  return acceptedEncodings.split(',').some((part) => {
    const [name, quality] = part.trim().split(/\s*;\s*q=/);
    return name === encoding && Number(quality ?? 1) > 0;
  });
}
