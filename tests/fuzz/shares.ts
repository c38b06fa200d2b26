import type { Answer } from './answers.ts';
import type { FuzzRequest } from './requests.ts';

/** Outcomes of the valid requests: a fuzz test whose requests reach no handler proves nothing. */
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

  /** Share of the valid requests that returned 2xx or 3xx. */
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

  /** The given endpoints without a successful request, except those that a single request cannot satisfy. */
  unreached(endpoints: readonly string[]): readonly string[] {
    return endpoints.filter((endpoint) => !this.#reached.get(endpoint)?.done && !needsMore.has(endpoint));
  }
}

/** Endpoints that need more than a request can contain: a mailed code, an identity provider, a service, a job. */
const needsMore = new Set([
  'GET /auth/pub/azure/token',
  'POST /auth/pub/user/token/renew',
  'POST /auth/api/user/activate',
  'POST /auth/api/user/reset/password',
  'GET /api/model-3d/:location/viewer-token',
  'GET /api/jobs/:id',
]);
