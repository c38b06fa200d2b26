import type { Clock } from '../kernel/clock.ts';

const windowMs = 10 * 60_000;
/** Refusals that are recorded one by one in a window: from one network, and in all. */
const maxRecorded = { fromOneNetwork: 20, inAll: 100 } as const;
/** Networks and accounts that are told apart while they are counted, and those that a summary names. */
const maxCounted = 1000;
const maxNamed = 10;

export interface RefusalCount {
  readonly kind: string;
  readonly count: number;
  /** How many there were, at most `maxCounted`, and the busiest of them with their counts. */
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
 * Decides which refusals are recorded one by one: in ten minutes the first 20 from one network and the first 100 in
 * all. The others are counted by kind, for one summary a kind when the ten minutes are over.
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

  /** False: it was counted instead. */
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

  /** The summary of a window that is over; begins a new one then. Undefined also where nothing was counted. */
  takeEnded(): RefusalSummary | undefined {
    return this.#clock.now() - this.#startedAt < windowMs ? undefined : this.take();
  }

  /** The summary so far. Begins a new window where this one is over, else what may be recorded stays used up. */
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
