// Reads strings, numbers, booleans and enumeration names from property tables of `EXT_structural_metadata`. Omits lists
// and vectors.

const arrayTypes = {
  INT8: Int8Array,
  UINT8: Uint8Array,
  INT16: Int16Array,
  UINT16: Uint16Array,
  INT32: Int32Array,
  UINT32: Uint32Array,
  INT64: BigInt64Array,
  UINT64: BigUint64Array,
  FLOAT32: Float32Array,
  FLOAT64: Float64Array,
};

/** Copies the bytes, because typed arrays need aligned values. */
const toTypedArray = (type, bytes) => new arrayTypes[type](bytes.slice().buffer);

/** Returns a function that reads the properties of a feature by its number. */
export function createPropertyReader(table, schema) {
  const columns = table.listPropertyKeys().flatMap((key) => {
    const definition = schema?.getClass(table.getClass())?.getProperty(key);
    const column =
      definition && !definition.getArray() ? readColumn(table.getProperty(key), definition, schema) : undefined;
    return column ? [[key, column]] : [];
  });
  return (featureId) =>
    Object.fromEntries(
      columns.flatMap(([key, column]) => {
        const value = column(featureId);
        return value === undefined ? [] : [[key, value]];
      }),
    );
}

function readColumn(property, definition, schema) {
  const bytes = property.getValues();
  if (definition.getType() === 'STRING') {
    const offsets = toTypedArray(property.getStringOffsetType() ?? 'UINT32', property.getStringOffsets());
    const text = Buffer.from(bytes);
    return (id) =>
      id + 1 < offsets.length ? text.toString('utf8', Number(offsets[id]), Number(offsets[id + 1])) : undefined;
  }
  if (definition.getType() === 'BOOLEAN')
    return (id) => (id >> 3 < bytes.length ? (bytes[id >> 3] & (1 << (id & 7))) !== 0 : undefined);
  if (definition.getType() === 'ENUM') {
    const names = schema.getEnum(definition.getEnumType());
    const values = toTypedArray(names?.getValueType() ?? 'UINT16', bytes);
    return (id) => {
      if (values[id] === undefined) return undefined;
      const value = Number(values[id]);
      return (
        names
          ?.listValues()
          .find((candidate) => candidate.getValue() === value)
          ?.getName() ?? value
      );
    };
  }
  if (definition.getType() !== 'SCALAR' || !definition.getComponentType()) return undefined;
  const values = toTypedArray(definition.getComponentType(), bytes);
  return (id) => (values[id] === undefined ? undefined : Number(values[id]));
}
