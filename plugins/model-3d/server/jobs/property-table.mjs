// Property tables of `EXT_structural_metadata`: strings, numbers and names of enumerations; lists and vectors are
// omitted.

const readers = {
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

/** The offsets of values may be unaligned, which typed arrays do not allow. */
const typed = (type, bytes) => new readers[type](bytes.slice().buffer);

/** Returns a function from the number of a feature to its properties by name. */
export function propertyTable(table, schema) {
  const columns = table.listPropertyKeys().flatMap((key) => {
    const kind = schema?.getClass(table.getClass())?.getProperty(key);
    const column = kind && !kind.getArray() ? readColumn(table.getProperty(key), kind, schema) : undefined;
    return column ? [[key, column]] : [];
  });
  return (id) =>
    Object.fromEntries(
      columns.flatMap(([key, column]) => {
        const value = column(id);
        return value === undefined ? [] : [[key, value]];
      }),
    );
}

function readColumn(property, kind, schema) {
  const bytes = property.getValues();
  if (kind.getType() === 'STRING') {
    const offsets = typed(property.getStringOffsetType() ?? 'UINT32', property.getStringOffsets());
    const text = Buffer.from(bytes);
    return (id) =>
      id + 1 < offsets.length ? text.toString('utf8', Number(offsets[id]), Number(offsets[id + 1])) : undefined;
  }
  if (kind.getType() === 'BOOLEAN')
    return (id) => (id >> 3 < bytes.length ? (bytes[id >> 3] & (1 << (id & 7))) !== 0 : undefined);
  if (kind.getType() === 'ENUM') {
    const names = schema.getEnum(kind.getEnumType());
    const values = typed(names?.getValueType() ?? 'UINT16', bytes);
    return (id) =>
      values[id] === undefined
        ? undefined
        : (names
            ?.listValues()
            .find((each) => each.getValue() === Number(values[id]))
            ?.getName() ?? Number(values[id]));
  }
  if (kind.getType() !== 'SCALAR' || !kind.getComponentType()) return undefined;
  const values = typed(kind.getComponentType(), bytes);
  return (id) => (values[id] === undefined ? undefined : Number(values[id]));
}
