import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';

type WriteHeadArguments = readonly (string | OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined)[];

/**
 * The response class of the server, which adds the headers also to replies without a route, such as to an undecodable
 * address or during a stop. Routes set them by a hook, which costs less.
 */
export function protectedResponse(headers: Readonly<Record<string, string>>): typeof ServerResponse {
  const entries = Object.entries(headers);
  const [first = ''] = Object.keys(headers);
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...rest: never[]): this {
      const given = (rest as WriteHeadArguments).at(-1);
      const isProtected = typeof given === 'object' && !Array.isArray(given) && first in given;
      if (!isProtected && !this.headersSent)
        for (const [name, value] of entries) if (!this.hasHeader(name)) this.setHeader(name, value);
      return super.writeHead(status, ...rest);
    }
  } as typeof ServerResponse;
}
