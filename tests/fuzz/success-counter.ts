import type { Answer } from './answers.ts';
import type { FuzzRequest } from './requests.ts';

/** Counts the successful valid requests, because a fuzz test whose requests reach no handler proves nothing. */
export class SuccessCounter {
  readonly #statuses = new Map<number, number>();
  readonly #countsByEndpoint = new Map<string, { sent: number; succeeded: number }>();

  count({ endpoint, hostile }: FuzzRequest, { status }: Answer): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (hostile !== 'none') return;
    const counts = this.#countsByEndpoint.get(endpoint) ?? { sent: 0, succeeded: 0 };
    this.#countsByEndpoint.set(endpoint, counts);
    counts.sent += 1;
    if (status < 400) counts.succeeded += 1;
  }

  /**
   * Share of the valid requests that got a 2xx or 3xx response, from 0 to 1. Deletions do not count: most of them name
   * rows that do not exist, so that the plant is not emptied.
   */
  get successFraction(): number {
    const all = [...this.#countsByEndpoint].flatMap(([endpoint, counts]) =>
      endpoint.startsWith('DELETE ') ? [] : [counts],
    );
    return all.reduce((sum, { succeeded }) => sum + succeeded, 0) / all.reduce((sum, { sent }) => sum + sent, 0);
  }

  formatSummary(): string {
    const statuses = [...this.#statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${times} x ${status}`);
    const unsuccessful = [...this.#countsByEndpoint]
      .filter(([, { succeeded }]) => succeeded === 0)
      .map(([endpoint]) => endpoint);
    return (
      `${Math.round(this.successFraction * 100)} % of the valid requests succeeded (${statuses.join(', ')}); ` +
      `without success: ${unsuccessful.join(', ') || 'none'}`
    );
  }

  /** Lists the given endpoints without a successful request, except those that need more than a request. */
  listUnreached(endpoints: readonly string[]): readonly string[] {
    return endpoints.filter(
      (endpoint) => !this.#countsByEndpoint.get(endpoint)?.succeeded && !multiStepEndpoints.has(endpoint),
    );
  }
}

/** Endpoints that need more than a request, such as a mailed code, an identity provider or a job. */
const multiStepEndpoints = new Set([
  'GET /auth/pub/azure/token',
  'POST /auth/pub/user/token/renew',
  'POST /auth/api/user/activate',
  'POST /auth/api/user/reset/password',
  'GET /api/model-3d/:location/viewer-token',
  'GET /api/jobs/:id',
]);
