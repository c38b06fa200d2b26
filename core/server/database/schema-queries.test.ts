import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type Compilable,
} from 'kysely';
import { describe, expect, it } from 'vitest';
import { SchemaPlugin, SchemaQueryCompiler } from './schema-queries.ts';

interface Tables {
  person: { id: number; name: string; team: number | null };
  team: { id: number; name: string; lead: number };
}

const createKysely = (compiler: PostgresQueryCompiler) =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database: Kysely<never>) => new PostgresIntrospector(database),
      createQueryCompiler: () => compiler,
    },
  });
const kyselyDefault = createKysely(new PostgresQueryCompiler());
const kyselyWithPlugin = createKysely(new SchemaQueryCompiler());
/** Two schemas with Kysely's own plugin, and with ours. */
const builders = {
  kysely: { core: kyselyDefault.withSchema('core'), other: kyselyDefault.withSchema('o"ther') },
  own: {
    core: kyselyWithPlugin.withPlugin(new SchemaPlugin('core')),
    other: kyselyWithPlugin.withPlugin(new SchemaPlugin('o"ther')),
  },
};
type Schemas = (typeof builders)['own'];

const queries: Readonly<Record<string, (schemas: Schemas) => Compilable>> = {
  'one table': ({ core }) => core.selectFrom('person').selectAll().where('id', '=', 1),
  'columns with their table': ({ core }) =>
    core.selectFrom('person').selectAll('person').select('person.name as called').orderBy('person.name'),
  aliases: ({ core }) => core.selectFrom('person as p').innerJoin('team as t', 't.id', 'p.team').select('t.name'),
  joins: ({ core }) =>
    core
      .selectFrom('person')
      .innerJoin('team', 'team.id', 'person.team')
      .leftJoin('person as lead', 'lead.id', 'team.lead')
      .select(['person.name', 'lead.name as leader']),
  'a nested query': ({ core }) =>
    core
      .selectFrom('team')
      .select(({ selectFrom }) =>
        selectFrom('person').select('name').whereRef('person.id', '=', 'team.lead').as('leader'),
      )
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('person').select('id').whereRef('person.team', '=', 'team.id')),
      ),
  'a nested query of another schema': ({ core, other }) =>
    core
      .selectFrom('team')
      .selectAll()
      .where('lead', 'in', other.selectFrom('team').innerJoin('person', 'person.id', 'team.lead').select('team.lead'))
      .where('team.id', '>', 3),
  'a table of the same name in another schema': ({ core, other }) =>
    core
      .selectFrom('person')
      .select(other.selectFrom('person').select('person.id').limit(1).as('first'))
      .where('person.id', '=', 1),
  'common table expressions': ({ core }) =>
    core
      .with('leads', (query) => query.selectFrom('team').select('lead as id'))
      .with('person', (query) => query.selectFrom('leads').select('leads.id'))
      .selectFrom('person')
      .innerJoin('team', 'team.lead', 'person.id')
      .selectAll(),
  unions: ({ core }) => core.selectFrom('person').select('person.id').union(core.selectFrom('team').select('team.id')),
  locks: ({ core }) => core.selectFrom('person').selectAll().forUpdate(['person']).skipLocked(),
  aggregates: ({ core }) =>
    core
      .selectFrom('person')
      .select(({ fn }) => [
        fn.jsonAgg('person').as('people'),
        fn.countAll().as('count'),
        fn.max('person.id').as('last'),
      ])
      .groupBy('person.team'),
  'SQL text': ({ core }) =>
    core
      .selectFrom('person')
      .select(sql<number>`coalesce(${sql.ref('person.team')}, ${1})`.as('team'))
      .where(sql<boolean>`exists (${core.selectFrom('team').select('team.id')})`),
  insert: ({ core }) =>
    core
      .insertInto('person')
      .values({ id: 1, name: 'Ann', team: null })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(({ ref }) => ({ name: ref('excluded.name') })))
      .returning('person.id'),
  'insert from a query': ({ core }) =>
    core
      .insertInto('person')
      .columns(['id', 'name'])
      .expression(core.selectFrom('team').select(['id', 'name'])),
  update: ({ core }) =>
    core
      .updateTable('person')
      .set(({ selectFrom }) => ({ name: 'Ben', team: selectFrom('team').select('team.id').limit(1) }))
      .where('person.id', '=', 2)
      .returningAll(),
  'update from': ({ core }) =>
    core.updateTable('person as p').from('team').set({ name: 'Cid' }).whereRef('team.id', '=', 'p.team'),
  delete: ({ core }) => core.deleteFrom('person').using('team').whereRef('team.lead', '=', 'person.id').returningAll(),
  merge: ({ core }) =>
    core
      .mergeInto('person as target')
      .using('team', 'team.lead', 'target.id')
      .whenMatched()
      .thenUpdateSet({ name: 'Dan' })
      .whenNotMatched()
      .thenInsertValues({ id: 1, name: 'Eve', team: null }),
  'a change of the schema': ({ core }) => core.schema.alterTable('person').addColumn('age', 'integer'),
};

describe('schema-qualified queries', () => {
  it.each(Object.entries(queries))("match Kysely's output: %s", (_, build) => {
    const { sql: text, parameters } = build(builders.own).compile();
    const expected = build(builders.kysely).compile();
    expect(text).toBe(expected.sql);
    expect(parameters).toEqual(expected.parameters);
  });

  it('leave a query without a schema unchanged', () => {
    const brokenQuery = builders.own.core
      .selectFrom('person')
      .select(sql`${{ toOperationNode: () => ({ kind: 'None' }) } as never}`.as('x'));
    expect(() => brokenQuery.compile()).toThrow();
    expect(kyselyWithPlugin.selectFrom('person').selectAll('person').compile().sql).toBe(
      'select "person".* from "person"',
    );
  });
});
