import {
  AggregateFunctionNode,
  AliasNode,
  FunctionNode,
  JoinNode,
  ListNode,
  PostgresQueryCompiler,
  SelectModifierNode,
  TableNode,
  UsingNode,
  WithSchemaPlugin,
  type CompiledQuery,
  type DeleteQueryNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type MergeQueryNode,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  type RawNode,
  type QueryResult,
  type RootOperationNode,
  type SchemableIdentifierNode,
  type SelectQueryNode,
  type UnknownRow,
  type UpdateQueryNode,
} from 'kysely';

/** The key of a query's default schema. */
const schemaKey = Symbol('schema');

type QueryWithSchema = OperationNode & { readonly [schemaKey]?: string };
type Query = SelectQueryNode | InsertQueryNode | UpdateQueryNode | DeleteQueryNode | MergeQueryNode;
type ShadowedSchema = readonly [table: string, schema: string | undefined];

const markedKinds = new Set([
  'SelectQueryNode',
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
  'MergeQueryNode',
]);
/** Functions that accept a table as a row, named without its schema. */
const rowFunctions = new Set(['json_agg', 'to_json']);

/**
 * Replaces Kysely's `WithSchemaPlugin`, which copies every node of a query, at a fraction of its cost. Attaches the
 * schema to the query, and `SchemaQueryCompiler` writes it.
 */
export class SchemaPlugin implements KyselyPlugin {
  readonly #schema: string;
  readonly #schemaPlugin: WithSchemaPlugin;

  constructor(schema: string) {
    this.#schema = schema;
    this.#schemaPlugin = new WithSchemaPlugin(schema);
  }

  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    const { node } = args;
    if (node.kind === 'RawNode' || markedKinds.has(node.kind)) return { [schemaKey]: this.#schema, ...node } as never;
    return this.#schemaPlugin.transformQuery(args);
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}

/** Qualifies each table of a query and its subqueries with the schema that `SchemaPlugin` attached. */
export class SchemaQueryCompiler extends PostgresQueryCompiler {
  /** The schemas of the enclosing queries by table. The innermost query that names a table wins. */
  readonly #schemas = new Map<string, string | undefined>();
  readonly #cteNames = new Set<string>();
  #schema: string | undefined;

  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    this.#schemas.clear();
    this.#cteNames.clear();
    this.#schema = undefined;
    return super.compileQuery(node, queryId);
  }

  protected override visitSelectQuery(node: SelectQueryNode): void {
    this.#writeQuery(node, () => super.visitSelectQuery(node));
  }

  protected override visitInsertQuery(node: InsertQueryNode): void {
    this.#writeQuery(node, () => super.visitInsertQuery(node));
  }

  protected override visitUpdateQuery(node: UpdateQueryNode): void {
    this.#writeQuery(node, () => super.visitUpdateQuery(node));
  }

  protected override visitDeleteQuery(node: DeleteQueryNode): void {
    this.#writeQuery(node, () => super.visitDeleteQuery(node));
  }

  protected override visitMergeQuery(node: MergeQueryNode): void {
    this.#writeQuery(node, () => super.visitMergeQuery(node));
  }

  protected override visitTable(node: TableNode): void {
    if (node.table.schema === undefined && isNamedAlone(this.parentNode)) this.visitNode(node.table.identifier);
    else super.visitTable(node);
  }

  protected override visitSchemableIdentifier(node: SchemableIdentifierNode): void {
    const schema = node.schema === undefined ? this.#schemas.get(node.identifier.name) : undefined;
    if (schema !== undefined) this.append(`"${this.sanitizeIdentifier(schema)}".`);
    super.visitSchemableIdentifier(node);
  }

  protected override visitRaw(node: RawNode): void {
    const outerSchema = this.#schema;
    this.#schema = (node as QueryWithSchema)[schemaKey] ?? outerSchema;
    super.visitRaw(node);
    this.#schema = outerSchema;
  }

  #writeQuery(node: Query, writeQuery: () => void): void {
    const outerSchema = this.#schema;
    const schema = (node as QueryWithSchema)[schemaKey] ?? outerSchema;
    if (schema === undefined) return writeQuery();
    this.#schema = schema;
    const cteNames = listCteNames(node).filter((name) => !this.#cteNames.has(name));
    for (const name of cteNames) this.#cteNames.add(name);
    const shadowedSchemas: ShadowedSchema[] = [];
    for (const table of listTables(node)) {
      if (this.#schemas.get(table) === schema || this.#cteNames.has(table)) continue;
      shadowedSchemas.push([table, this.#schemas.get(table)]);
      this.#schemas.set(table, schema);
    }
    writeQuery();
    for (const [table, outer] of shadowedSchemas) this.#schemas.set(table, outer);
    for (const name of cteNames) this.#cteNames.delete(name);
    this.#schema = outerSchema;
  }
}

/** Whether a table is used as a row, and is qualified elsewhere in the query. */
function isNamedAlone(parent: OperationNode | undefined): boolean {
  if (parent === undefined) return false;
  if (FunctionNode.is(parent) || AggregateFunctionNode.is(parent)) return rowFunctions.has(parent.func);
  return SelectModifierNode.is(parent);
}

/** Names of a query's common table expressions, which have no schema. */
const listCteNames = (node: Query): readonly string[] =>
  node.with?.expressions.map(({ name }) => name.table.table.identifier.name) ?? [];

/** Lists the names of the tables that a query reads and writes. */
function listTables(node: Query): readonly string[] {
  const tables: string[] = [];
  if ('from' in node) for (const fromNode of node.from?.froms ?? []) collectTables(fromNode, tables);
  if ('into' in node) collectTables(node.into, tables);
  if ('table' in node) collectTables(node.table, tables);
  if ('joins' in node) for (const { table } of node.joins ?? []) collectTables(table, tables);
  if ('using' in node) collectTables(node.using, tables);
  return tables;
}

function collectTables(node: OperationNode | undefined, tables: string[]): void {
  if (node === undefined) return;
  if (TableNode.is(node)) tables.push(node.table.identifier.name);
  else if (AliasNode.is(node)) collectTables(TableNode.is(node.node) ? node.node : undefined, tables);
  else if (JoinNode.is(node)) collectTables(node.table, tables);
  else if (ListNode.is(node)) for (const item of node.items) collectTables(item, tables);
  else if (UsingNode.is(node)) for (const table of node.tables) collectTables(table, tables);
}
