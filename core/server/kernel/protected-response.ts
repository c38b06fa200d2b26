import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';

type WriteHeadArguments = readonly (string | OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined)[];

/**
 * Creates the server's response class. It adds the headers to replies without a route, such as replies during a stop or
 * to an undecodable URL. A hook adds them to replies of routes, which is faster.
 */
export function createProtectedResponse(headers: Readonly<Record<string, string>>): typeof ServerResponse {
  const entries = Object.entries(headers);
  const [firstName = ''] = Object.keys(headers);
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...otherArguments: never[]): this {
      const passedHeaders = (otherArguments as WriteHeadArguments).at(-1);
      const isProtected =
        typeof passedHeaders === 'object' && !Array.isArray(passedHeaders) && firstName in passedHeaders;
      if (!isProtected && !this.headersSent)
        for (const [name, value] of entries) if (!this.hasHeader(name)) this.setHeader(name, value);
      return super.writeHead(status, ...otherArguments);
    }
  } as typeof ServerResponse;
}
