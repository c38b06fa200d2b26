import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

const compiler = SerializerSelector()({});
type Serializer = ReturnType<typeof compiler>;

/**
 * Compiles like Fastify.
 *
 * @throws if the schema is invalid
 */
export const compileSerializer = (schema: unknown): Serializer =>
  compiler({ method: 'GET', url: '/', httpStatus: '200', schema });

const cached = new WeakMap<object, Serializer>();

/** The serializer of a schema, compiled at the first reply and cached: few endpoints are called soon after a start. */
export function createSerializer(schema: unknown): Serializer {
  const compile = (): Serializer => {
    if (typeof schema !== 'object' || schema === null) return compileSerializer(schema);
    const serializer = cached.get(schema) ?? compileSerializer(schema);
    cached.set(schema, serializer);
    return serializer;
  };
  let serialize: Serializer | undefined;
  return (reply: unknown) => (serialize ??= compile())(reply);
}
