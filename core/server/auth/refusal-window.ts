import type { Clock } from '../kernel/clock.ts';

const windowMs = 10 * 60_000;
/** The maximum number of refusals that a window records individually, per network and in total. */
const maxRecorded = { perNetwork: 20, inTotal: 100 } as const;
/** The maximum number of networks, and of accounts, that are counted separately. */
const maxCounted = 1000;
/** The maximum number of networks, and of accounts, that a summary names. */
const maxNamed = 10;

export interface RefusalCount {
  readonly kind: string;
  readonly count: number;
  /** The number of networks, at most `maxCounted`. */
  readonly networks: number;
  /** The networks with the most refusals, with their counts. */
  readonly busiestNetworks: Readonly<Record<string, number>>;
  readonly accounts: number;
  readonly busiestAccounts: Readonly<Record<string, number>>;
}

export interface RefusalSummary {
  /** ISO 8601. */
  readonly since: string;
  readonly until: string;
  readonly counts: readonly RefusalCount[];
}

interface RefusalCounter {
  count: number;
  readonly networks: Map<string, number>;
  readonly accounts: Map<string, number>;
}

/**
 * Decides which refusals are recorded individually: per ten minutes the first 20 of a network and the first 100 in
 * total. The others are counted by kind and summarised when the window ends.
 */
export class RefusalWindow {
  readonly #clock: Clock;
  #startedAt: number;
  #recordedCount = 0;
  readonly #byNetwork = new Map<string, number>();
  readonly #counters = new Map<string, RefusalCounter>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** Counts a refusal. Returns whether it must be recorded individually. */
  admit(kind: string, network: string, account: string | undefined): boolean {
    const networkCount = this.#byNetwork.get(network) ?? 0;
    if (this.#recordedCount < maxRecorded.inTotal && networkCount < maxRecorded.perNetwork) {
      this.#recordedCount += 1;
      this.#byNetwork.set(network, networkCount + 1);
      return true;
    }
    const counter = this.#counters.get(kind) ?? { count: 0, networks: new Map(), accounts: new Map() };
    this.#counters.set(kind, counter);
    counter.count += 1;
    increment(counter.networks, network);
    if (account !== undefined) increment(counter.accounts, account);
    return false;
  }

  /**
   * Returns the summary of an ended window and begins a new one. Undefined before the end or if nothing was counted.
   */
  takeEnded(): RefusalSummary | undefined {
    return this.#clock.now() - this.#startedAt < windowMs ? undefined : this.take();
  }

  /** Returns the summary so far and clears it. The limits are reset only if the window has ended. */
  take(): RefusalSummary | undefined {
    const now = this.#clock.now();
    const counts = [...this.#counters].map(([kind, { count, networks, accounts }]) => ({
      kind,
      count,
      networks: networks.size,
      busiestNetworks: findBusiest(networks),
      accounts: accounts.size,
      busiestAccounts: findBusiest(accounts),
    }));
    const since = new Date(this.#startedAt).toISOString();
    this.#counters.clear();
    if (now - this.#startedAt >= windowMs) {
      this.#startedAt = now;
      this.#recordedCount = 0;
      this.#byNetwork.clear();
    }
    return counts.length === 0 ? undefined : { since, until: new Date(now).toISOString(), counts };
  }
}

function increment(counts: Map<string, number>, key: string): void {
  const count = counts.get(key);
  if (count !== undefined || counts.size < maxCounted) counts.set(key, (count ?? 0) + 1);
}

const findBusiest = (counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
  Object.fromEntries([...counts].sort(([, a], [, b]) => b - a).slice(0, maxNamed));
