import pg from 'pg';

/** Members of `pg.Query` that are missing in its types. */
interface Query {
  name: string;
  readonly _result: RowShape;
  _accumulateRows: boolean;
  prepare(connection: object): void;
  handleReadyForQuery(connection: object): void;
}
/** Maps rows to objects in the same way as `pg`, from a statement's description. */
interface RowShape {
  readonly fields: readonly object[];
  readonly _parsers: readonly object[] | undefined;
  readonly _prebuiltEmptyResultObject: object | null;
}
type Callback = (error: Error | null, result: unknown) => void;

const Query = pg.Query as unknown as new (text: string, values: readonly unknown[], callback: Callback) => Query;

/** The row shapes by connection and statement name. */
const rowShapes = new WeakMap<object, Map<string, RowShape>>();
const wrappedConnections = new WeakMap<object, object>();

/**
 * A statement that is prepared and described once per connection, whereas `pg` describes it at each use. This is safe
 * because the rows of a prepared statement keep their shape: otherwise the database fails with `stalePlan`.
 */
class NamedQuery extends Query {
  constructor(name: string, text: string, values: readonly unknown[], callback: Callback) {
    super(text, values, callback);
    this.name = name;
  }

  override prepare(connection: object): void {
    const shape = rowShapes.get(connection)?.get(this.name);
    if (shape === undefined) {
      super.prepare(connection);
      return;
    }
    Object.assign(this._result, shape);
    this._accumulateRows = true;
    super.prepare(skipDescriptions(connection));
  }

  override handleReadyForQuery(connection: object): void {
    const shapesByName = rowShapes.get(connection) ?? new Map<string, RowShape>();
    if (!shapesByName.has(this.name)) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
      rowShapes.set(connection, shapesByName.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject }));
    }
    super.handleReadyForQuery(connection);
  }
}

/** Wraps the connection to skip describe requests. */
function skipDescriptions(connection: object): object {
  const existingWrapper = wrappedConnections.get(connection);
  if (existingWrapper) return existingWrapper;
  const wrapper = Object.create(connection, { describe: { value: () => undefined } }) as object;
  wrappedConnections.set(connection, wrapper);
  return wrapper;
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
