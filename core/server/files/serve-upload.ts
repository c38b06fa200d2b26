import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { Endpoint, ReplyOf } from '#core';
import { EndpointCall } from '../kernel/endpoint-call.ts';
import type { RawEndpoint, RawHandler } from '../kernel/raw-endpoint.ts';
import type { DiskSpaceMonitor } from '../kernel/disk-space.ts';
import type { ServerConfig } from '../kernel/server-config.ts';
import type { Call } from '../kernel/server-plugin.ts';
import { receiveUpload, uploadsFolder, type ReceivedUpload, type UploadRules } from './receive-upload.ts';

export type UploadHandler<E extends Endpoint> = (call: Call<E>, upload: ReceivedUpload) => Promise<ReplyOf<E>>;

/** Turns an endpoint without a body into an endpoint that accepts a form with files and replies JSON. */
export function createUploadRoute<E extends Endpoint>(
  endpoint: E,
  { maximumBytes: endpointMaximumBytes, ...otherRules }: UploadRules,
  handler: UploadHandler<E>,
  services: { readonly config: ServerConfig; readonly disk: DiskSpaceMonitor; readonly log: Logger },
): { readonly endpoint: RawEndpoint; readonly handler: RawHandler } {
  if (endpoint.body !== undefined)
    throw new Error(
      `${endpoint.method} ${endpoint.path} takes files and cannot have a JSON body too. Send the other ` +
        'values as fields of the form.',
    );
  const rules: UploadRules = {
    ...otherRules,
    maximumBytes: Math.min(endpointMaximumBytes, services.config.limits.uploadBytes),
  };
  return {
    endpoint: {
      ...endpoint,
      accepts: 'multipart',
      maximumBytes: rules.maximumBytes * (rules.maximumFiles ?? 1),
      produces: 'application/json',
    },
    handler: async ({ request, reply }) => {
      // The route's checks have validated the request for this endpoint.
      const call = new EndpointCall(request, reply, services) as Call<Endpoint> as Call<E>;
      const target = { folder: uploadsFolder(services.config), disk: services.disk };
      const replyBody = await receiveUpload(request, target, rules, (upload) => handler(call, upload));
      return sendBySchema(reply, endpoint, replyBody);
    },
  };
}

/** Properties outside the reply schema are removed, as in all replies. */
function sendBySchema(reply: FastifyReply, endpoint: Endpoint, replyBody: unknown): FastifyReply {
  return reply
    .code(endpoint.status ?? 200)
    .type('application/json; charset=utf-8')
    .serializer((payload: unknown) => payload as string)
    .send(
      reply.serializeInput(replyBody as Record<string, unknown>, endpoint.reply as Readonly<Record<string, unknown>>),
    );
}
