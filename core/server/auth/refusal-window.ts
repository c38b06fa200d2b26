import type { Clock } from '../kernel/clock.ts';

const windowMs = 10 * 60_000;
/** Refusals recorded individually per window: per network, and in total. */
const maxRecorded = { fromOneNetwork: 20, inAll: 100 } as const;
/** Networks and accounts that are counted separately, and those that a summary names. */
const maxCounted = 1000;
const maxNamed = 10;

export interface RefusalCount {
  readonly kind: string;
  readonly count: number;
  /** Their number, at most `maxCounted`, and the most frequent ones with their counts. */
  readonly networks: number;
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

interface Counted {
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
  #recorded = 0;
  readonly #byNetwork = new Map<string, number>();
  readonly #counted = new Map<string, Counted>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** Returns false if the refusal was only counted. */
  admit(kind: string, network: string, account: string | undefined): boolean {
    const own = this.#byNetwork.get(network) ?? 0;
    if (this.#recorded < maxRecorded.inAll && own < maxRecorded.fromOneNetwork) {
      this.#recorded += 1;
      this.#byNetwork.set(network, own + 1);
      return true;
    }
    const counted = this.#counted.get(kind) ?? { count: 0, networks: new Map(), accounts: new Map() };
    this.#counted.set(kind, counted);
    counted.count += 1;
    increment(counted.networks, network);
    if (account !== undefined) increment(counted.accounts, account);
    return false;
  }

  /** The summary of an ended window, and begins a new one. Undefined if nothing was counted. */
  takeEnded(): RefusalSummary | undefined {
    return this.#clock.now() - this.#startedAt < windowMs ? undefined : this.take();
  }

  /** The summary so far. Begins a new window if this one ended; otherwise its limits stay used up. */
  take(): RefusalSummary | undefined {
    const now = this.#clock.now();
    const counts = [...this.#counted].map(([kind, { count, networks, accounts }]) => ({
      kind,
      count,
      networks: networks.size,
      busiestNetworks: findBusiest(networks),
      accounts: accounts.size,
      busiestAccounts: findBusiest(accounts),
    }));
    const since = new Date(this.#startedAt).toISOString();
    this.#counted.clear();
    if (now - this.#startedAt >= windowMs) {
      this.#startedAt = now;
      this.#recorded = 0;
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
