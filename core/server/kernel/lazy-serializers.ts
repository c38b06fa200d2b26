import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Factories = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
type Serialize = (data: unknown) => string;

const known = new WeakMap<object, Serialize>();

/**
 * Fastify's own serializers, each compiled at its first reply and kept for the schema. No schema refers to another by
 * `$id`, so a serializer depends on its schema alone.
 */
export const buildLazySerializers: NonNullable<Factories['buildSerializer']> = (externalSchemas, options) => {
  const compile = SerializerSelector()(externalSchemas, options);
  return (route) => {
    const { schema } = route;
    if (typeof schema !== 'object' || schema === null) return compile(route);
    let serialize = known.get(schema);
    if (serialize) return serialize;
    let compiled: Serialize | undefined;
    serialize = (data) => (compiled ??= compile(route))(data);
    known.set(schema, serialize);
    return serialize;
  };
};
