import type { ProviderProblem, ProviderTestStep } from '#core';
import type { ProviderTest } from '#core/api';
import type { Clock } from '../../kernel/clock.ts';
import type { SignOnProvider } from '../../kernel/server-config.ts';

const maxReplyBytes = 512 * 1024;
const maxDetailLength = 200;
/** ID tokens are refused if the clocks differ by more than a few seconds. */
const maxClockDifferenceMs = 30_000;

export interface ProviderTestOptions {
  readonly clock: Clock;
  /** The timeout of each of the two requests. */
  readonly timeoutMs?: number;
}

type Step = ProviderTest['steps'][number];

/** A step failed. `detail` contains at most a status, a host or a URL of the reply. */
class StepFailedError extends Error {
  readonly problem: ProviderProblem;
  readonly detail: string;

  constructor(problem: ProviderProblem, detail = '') {
    super(problem);
    this.problem = problem;
    this.detail = detail.slice(0, maxDetailLength);
  }
}

/**
 * Fetches the metadata and the keys of an identity provider, as a sign-in does. The URL of the keys must use https
 * unless it has the issuer's origin. Redirects are not followed.
 */
export async function testIdentityProvider(
  provider: Pick<SignOnProvider, 'issuer'> | undefined,
  { clock, timeoutMs = 10_000 }: ProviderTestOptions,
): Promise<ProviderTest> {
  const steps: Step[] = [];
  const run = async <T>(step: ProviderTestStep, check: () => Promise<T> | T): Promise<T | undefined> => {
    try {
      const result = await check();
      steps.push({ step, outcome: 'OK', problem: null, detail: '' });
      return result;
    } catch (cause) {
      if (!(cause instanceof StepFailedError)) throw cause;
      const { problem, detail } = cause;
      steps.push({ step, outcome: problem === 'NO_CLOCK' ? 'SKIPPED' : 'FAILED', problem, detail });
      return undefined;
    }
  };
  const skip = (...skippedSteps: readonly ProviderTestStep[]): void =>
    void steps.push(...skippedSteps.map((step): Step => ({ step, outcome: 'SKIPPED', problem: null, detail: '' })));

  const metadata = await run('DISCOVERY', () => {
    if (!provider) throw new StepFailedError('NOT_SET_UP');
    return fetchJson(`${provider.issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`, timeoutMs);
  });
  if (!provider || !metadata) {
    skip('ISSUER', 'KEYS', 'CLOCK');
    return { steps };
  }
  await run('ISSUER', () => assertIssuer(metadata.body['issuer'], provider.issuer));
  await run('KEYS', async () => {
    const keys = (await fetchJson(readKeysUrl(metadata.body['jwks_uri'], provider.issuer), timeoutMs)).body['keys'];
    const isKey = (key: unknown): boolean =>
      typeof key === 'object' && key !== null && 'kty' in key && (!('use' in key) || key.use === 'sig');
    if (!Array.isArray(keys) || !keys.some(isKey)) throw new StepFailedError('NO_KEYS');
  });
  await run('CLOCK', () => {
    const time = Date.parse(metadata.date ?? '');
    if (Number.isNaN(time)) throw new StepFailedError('NO_CLOCK');
    const differenceMs = Math.abs(clock.now() - time);
    if (differenceMs > maxClockDifferenceMs)
      throw new StepFailedError('CLOCK', String(Math.round(differenceMs / 1000)));
  });
  return { steps };
}

function assertIssuer(namedIssuer: unknown, configuredIssuer: string): void {
  const isSame =
    typeof namedIssuer === 'string' &&
    URL.canParse(namedIssuer) &&
    new URL(namedIssuer).href === new URL(configuredIssuer).href;
  if (!isSame) throw new StepFailedError('OTHER_ISSUER', typeof namedIssuer === 'string' ? namedIssuer : '');
}

function readKeysUrl(url: unknown, issuer: string): string {
  if (typeof url !== 'string' || !URL.canParse(url)) throw new StepFailedError('KEYS_ADDRESS');
  const { protocol, origin } = new URL(url);
  if (protocol !== 'https:' && origin !== new URL(issuer).origin) throw new StepFailedError('KEYS_ADDRESS', url);
  return url;
}

async function fetchJson(
  url: string,
  timeoutMs: number,
): Promise<{ readonly body: Readonly<Record<string, unknown>>; readonly date: string | null }> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json' },
    });
    if (response.status !== 200) {
      // An unread body would hold its connection.
      await response.body?.cancel().catch(() => undefined);
      const isRedirect = response.status >= 300 && response.status < 400;
      throw isRedirect ? new StepFailedError('REDIRECT') : new StepFailedError('STATUS', String(response.status));
    }
    return { body: parseObject(await readText(response)), date: response.headers.get('date') };
  } catch (cause) {
    if (cause instanceof StepFailedError) throw cause;
    if (signal.aborted) throw new StepFailedError('TIMEOUT', String(timeoutMs / 1000));
    throw new StepFailedError(isCertificateError(cause) ? 'CERTIFICATE' : 'UNREACHABLE', new URL(url).host);
  }
}

/** Reads at most the allowed length, because a reply can be longer than its header says. */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).byteLength;
    if (bytes > maxReplyBytes) throw new StepFailedError('TOO_LARGE');
    text += decoder.decode(chunk as Uint8Array, { stream: true });
  }
  return text;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new StepFailedError('NO_JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new StepFailedError('NO_JSON');
  return value as Readonly<Record<string, unknown>>;
}

/** Node names problems of TLS by codes such as `DEPTH_ZERO_SELF_SIGNED_CERT` and `CERT_HAS_EXPIRED`. */
function isCertificateError(cause: unknown): boolean {
  const { code } = ((cause as Error | undefined)?.cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /CERT|SSL|TLS|SIGNATURE/.test(code);
}
