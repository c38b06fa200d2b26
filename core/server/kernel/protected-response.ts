import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';

type Rest = readonly (string | OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined)[];

/**
 * The class of all answers: one that no route made has the headers too, such as that to an address that cannot be
 * decoded, or to a request during a stop. Answers of routes have them from a hook, which costs less.
 */
export function protectedResponse(headers: Readonly<Record<string, string>>): typeof ServerResponse {
  const entries = Object.entries(headers);
  const [first = ''] = Object.keys(headers);
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...rest: never[]): this {
      const given = (rest as Rest).at(-1);
      const isProtected = typeof given === 'object' && !Array.isArray(given) && first in given;
      if (!isProtected && !this.headersSent)
        for (const [name, value] of entries) if (!this.hasHeader(name)) this.setHeader(name, value);
      return super.writeHead(status, ...rest);
    }
  } as typeof ServerResponse;
}
