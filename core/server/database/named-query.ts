import pg from 'pg';

/** Members of `pg.Query` that its types lack. */
interface Query {
  name: string;
  readonly _result: RowShape;
  _accumulateRows: boolean;
  prepare(connection: object): void;
  handleReadyForQuery(connection: object): void;
}
/** How `pg` maps rows to objects, from a statement's description. */
interface RowShape {
  readonly fields: readonly object[];
  readonly _parsers: readonly object[] | undefined;
  readonly _prebuiltEmptyResultObject: object | null;
}
type Callback = (error: Error | null, result: unknown) => void;

const Query = pg.Query as unknown as new (text: string, values: readonly unknown[], callback: Callback) => Query;

/** By connection and statement name. */
const shapes = new WeakMap<object, Map<string, RowShape>>();
const quietConnections = new WeakMap<object, object>();

/**
 * A statement that is prepared and described once per connection; `pg` describes it at each use. Safe because the rows
 * of a prepared statement never change their shape (the database fails with `stalePlan` instead).
 */
class NamedQuery extends Query {
  constructor(name: string, text: string, values: readonly unknown[], callback: Callback) {
    super(text, values, callback);
    this.name = name;
  }

  override prepare(connection: object): void {
    const shape = shapes.get(connection)?.get(this.name);
    if (shape === undefined) {
      super.prepare(connection);
      return;
    }
    Object.assign(this._result, shape);
    this._accumulateRows = true;
    super.prepare(withoutDescriptions(connection));
  }

  override handleReadyForQuery(connection: object): void {
    const cached = shapes.get(connection) ?? new Map<string, RowShape>();
    if (!cached.has(this.name)) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
      shapes.set(connection, cached.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject }));
    }
    super.handleReadyForQuery(connection);
  }
}

/** Wraps the connection to skip describe requests. */
function withoutDescriptions(connection: object): object {
  const cached = quietConnections.get(connection);
  if (cached) return cached;
  const quiet = Object.create(connection, { describe: { value: () => undefined } }) as object;
  quietConnections.set(connection, quiet);
  return quiet;
}

/** Runs a statement under a name that identifies its text for the connection's lifetime. */
export function queryNamed<R extends pg.QueryResultRow>(
  client: pg.PoolClient,
  { name, text, values }: { readonly name: string; readonly text: string; readonly values: readonly unknown[] },
): Promise<pg.QueryResult<R>> {
  return new Promise((resolve, reject) => {
    const query = new NamedQuery(name, text, values, (error, result) => {
      if (error) reject(error);
      else resolve(result as pg.QueryResult<R>);
    });
    client.query(query as unknown as pg.Submittable);
  });
}
