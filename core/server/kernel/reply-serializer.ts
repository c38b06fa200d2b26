import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

const compiler = SerializerSelector()({});
type Serializer = ReturnType<typeof compiler>;

/**
 * Compiles a serializer as Fastify does.
 *
 * @throws if the schema is invalid
 */
export const compileSerializer = (schema: unknown): Serializer =>
  compiler({ method: 'GET', url: '/', httpStatus: '200', schema });

const serializers = new WeakMap<object, Serializer>();

/**
 * Creates the serializer of a schema, which is compiled at the first reply and cached: few endpoints are called soon
 * after a start.
 */
export function createSerializer(schema: unknown): Serializer {
  const compile = (): Serializer => {
    if (typeof schema !== 'object' || schema === null) return compileSerializer(schema);
    const serializer = serializers.get(schema) ?? compileSerializer(schema);
    serializers.set(schema, serializer);
    return serializer;
  };
  let serialize: Serializer | undefined;
  return (reply: unknown) => (serialize ??= compile())(reply);
}
