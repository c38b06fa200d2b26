import { sql, type RawBuilder } from 'kysely';
import { token, type ContentSeverity, type RouteRef } from '#core';
import type { ContentCheckResult, ContentFinding, Page } from '#core/api';
import type { Database } from '../database/database.ts';
import { notFound } from '../kernel/server-error.ts';

export interface ContentCheck {
  /**
   * Unique within the plugin, such as `viewpointWithoutLink`. The texts `<plugin>.check.<id>` (with the placeholder
   * `count`) and `<plugin>.check.<id>.hint` describe the problem and its remedy.
   */
  readonly id: string;
  readonly severity: ContentSeverity;
  /** The screen on which findings are fixed, and the parameter of its URL for the subject. */
  readonly fix: { readonly route: RouteRef; readonly parameter?: string };
  /**
   * Builds a query of the findings at these locations: text columns `location`, `subject` and `name`, in any order.
   */
  readonly find: (locations: readonly string[]) => RawBuilder<unknown> | Promise<RawBuilder<unknown>>;
}

/** Builds a query of findings that were computed in memory: at most one for each location, model or point cloud. */
export const toFindings = (findings: readonly ContentFinding[]): RawBuilder<unknown> => sql`
  select * from jsonb_to_recordset(${JSON.stringify(findings)}::jsonb) as row (location text, subject text, name text)`;

/** Checks of contents, as plugins register them; see `ServerContext.registerCheck`. */
export const ContentChecks = token<ContentChecks>('core.ContentChecks');
export interface ContentChecks {
  register(owner: string, check: ContentCheck): void;
  /** The number of findings of each check, in the order of registration. Sends one statement for all counts. */
  count(locations: readonly string[]): Promise<readonly ContentCheckResult[]>;
  /** @throws `notFound` (404) if there is no such check */
  list(locations: readonly string[], check: string, page: FindingPage): Promise<Page<ContentFinding>>;
}

interface FindingPage {
  readonly offset?: number;
  readonly limit?: number;
}

const defaultPageSize = 50;

export class DatabaseContentChecks implements ContentChecks {
  readonly #database: Database;
  readonly #checks = new Map<string, ContentCheck>();

  constructor(database: Database) {
    this.#database = database;
  }

  register(owner: string, check: ContentCheck): void {
    const id = `${owner}.${check.id}`;
    if (this.#checks.has(id)) throw new Error(`The content check '${id}' is registered twice.`);
    this.#checks.set(id, check);
  }

  async count(locations: readonly string[]): Promise<readonly ContentCheckResult[]> {
    if (this.#checks.size === 0) return [];
    const counts = await Promise.all(
      [...this.#checks].map(
        async ([id, check]) =>
          sql`select ${id}::text as id, count(*)::integer as count from (${await check.find(locations)}) as finding`,
      ),
    );
    const { rows } = await sql<{ id: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(
      this.#database.of<unknown>('core'),
    );
    const countById = new Map(rows.map(({ id, count }) => [id, count]));
    return [...this.#checks].map(([id, { severity, fix }]) => ({
      id,
      severity,
      count: countById.get(id) ?? 0,
      fix: { route: fix.route.id, path: fix.route.path, parameter: fix.parameter ?? null },
    }));
  }

  async list(
    locations: readonly string[],
    id: string,
    { offset = 0, limit = defaultPageSize }: FindingPage,
  ): Promise<Page<ContentFinding>> {
    const check = this.#checks.get(id);
    if (!check) throw notFound('This check');
    const core = this.#database.of<unknown>('core');
    const findings = await check.find(locations);
    const countResult = await sql<{ total: number }>`
      select count(*)::integer as total from (${findings}) as finding`.execute(core);
    const { rows } = await sql<ContentFinding>`
      select location, subject, name from (${findings}) as finding
      order by name, subject limit ${limit} offset ${offset}`.execute(core);
    return { total: countResult.rows[0]?.total ?? 0, offset, rows };
  }
}
