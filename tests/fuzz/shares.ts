import type { Answer } from './answers.ts';
import type { FuzzRequest } from './requests.ts';

/** How the requests ended of which no part was hostile: a fuzz whose requests reach no handler finds nothing. */
export class Shares {
  readonly #statuses = new Map<number, number>();
  readonly #reached = new Map<string, { sent: number; done: number }>();

  count({ endpoint, hostile }: FuzzRequest, { status }: Answer): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (hostile !== 'none') return;
    const shares = this.#reached.get(endpoint) ?? { sent: 0, done: 0 };
    this.#reached.set(endpoint, shares);
    shares.sent += 1;
    if (status < 400) shares.done += 1;
  }

  /** Of the right requests: how many were answered with 2xx or 3xx. */
  get share(): number {
    const all = [...this.#reached.values()];
    return all.reduce((sum, { done }) => sum + done, 0) / all.reduce((sum, { sent }) => sum + sent, 0);
  }

  summary(): string {
    const statuses = [...this.#statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${times} x ${status}`);
    const never = [...this.#reached].filter(([, { done }]) => done === 0).map(([endpoint]) => endpoint);
    return (
      `${Math.round(this.share * 100)} % of the right ones were answered with 2xx (${statuses.join(', ')}); ` +
      `never: ${never.join(', ') || 'none'}`
    );
  }

  /** Endpoints of these of which no request was done, but for those that ask for more than a request can hold. */
  unreached(endpoints: readonly string[]): readonly string[] {
    return endpoints.filter((endpoint) => !this.#reached.get(endpoint)?.done && !needsMore.has(endpoint));
  }
}

/** Endpoints that ask for what no request of its own can hold: a mailed code, an identity provider, a service, a job. */
const needsMore = new Set([
  'GET /auth/pub/azure/token',
  'POST /auth/pub/user/token/renew',
  'POST /auth/api/user/activate',
  'POST /auth/api/user/reset/password',
  'GET /api/model-3d/:location/viewer-token',
  'GET /api/jobs/:id',
]);
