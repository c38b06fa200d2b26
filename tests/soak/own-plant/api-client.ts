/** Calls the API of a product as one person. */
export interface ApiClient {
  readonly url: string;
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Waits for a job. Rejects if it failed. */
  finish(job: string): Promise<void>;
}

const pollMs = 250;
interface JobReply {
  readonly status: string;
  readonly result: string | null;
  readonly message: string | null;
}

/** Creates a client that logs in as a person. Imports end sessions, so a call that gets 401 logs in again. */
export function createApiClient(
  url: string,
  person: { readonly username: string; readonly password: string },
): ApiClient {
  let token: string | undefined;
  const logIn = async (): Promise<string> => {
    const reply = await fetch(`${url}/auth/pub/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
    });
    if (!reply.ok) throw new Error(`The login was answered with ${reply.status}: ${await reply.text()}`);
    return ((await reply.json()) as { readonly accessToken: string }).accessToken;
  };
  const send = async (method: string, path: string, body: unknown): Promise<Response> => {
    token ??= await logIn();
    const isForm = body instanceof FormData;
    return fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
  };
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    let reply = await send(method, path, body);
    if (reply.status === 401) {
      token = undefined;
      reply = await send(method, path, body);
    }
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} was answered with ${reply.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return {
    url,
    call,
    finish: async (job) => {
      for (;;) {
        const { status, result, message } = await call<JobReply>('GET', `/api/jobs/${job}`);
        if (status === 'COMPLETED') {
          if (result === 'FAILED') throw new Error(`The job failed: ${message ?? 'no message'}`);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    },
  };
}
