import { degree, metre, type StatedSystem, type StatedUnit } from './stated-system.ts';

/** The LAS records with GeoTIFF keys (LAS 1.4 R15, clause 3; OGC GeoTIFF 1.1, 7). */
export interface GeoKeyRecords {
  /** Record 34735. */
  readonly directory: Buffer;
  /** Record 34736. */
  readonly doubles: Buffer | undefined;
  /** Record 34737. */
  readonly texts: Buffer | undefined;
}

const doublesTag = 34_736;
const textsTag = 34_737;
const userDefined = 32_767;
const keyIds = {
  model: 1024,
  citation: 1026,
  geographic: 2048,
  geographicCitation: 2049,
  angularUnit: 2054,
  angularSize: 2055,
  projected: 3072,
  projectedCitation: 3073,
  linearUnit: 3076,
  linearSize: 3077,
  vertical: 4096,
  verticalCitation: 4097,
  verticalUnit: 4099,
} as const;
const models: Readonly<Record<number, StatedSystem['kind']>> = { 1: 'PROJECTED', 2: 'GEOGRAPHIC', 3: 'GEOCENTRIC' };

/** Metres per linear unit, by EPSG code. */
const linearUnits: Readonly<Record<number, number>> = {
  1025: 0.001,
  1033: 0.01,
  9001: 1,
  9002: 0.3048,
  9003: 1200 / 3937,
  9005: 0.304_797_265_4,
  9014: 1.8288,
  9030: 1852,
  9036: 1000,
  9037: 0.914_391_796_2,
  9041: 0.304_799_471_538_676_26,
  9080: 0.304_799_510_248_147,
  9093: 1609.344,
  9096: 0.9144,
};
/** Radians per angular unit, by EPSG code. */
const angularUnits: Readonly<Record<number, number>> = {
  9101: 1,
  9102: Math.PI / 180,
  9105: Math.PI / 200,
  9122: Math.PI / 180,
};

/** Parses GeoTIFF keys; undefined if they contain neither a coordinate system nor a unit. */
export function readGeoKeys(records: GeoKeyRecords): StatedSystem | undefined {
  const keys = new GeoKeys(records);
  const projected = keys.readEpsgCode(keyIds.projected);
  const geographic = keys.readEpsgCode(keyIds.geographic);
  const kind = models[keys.readShort(keyIds.model) ?? 0] ?? guessKind(keys);
  if (kind === undefined) return undefined;
  const geographicName = keys.readText(keyIds.geographicCitation);
  return {
    kind,
    unit: kind === 'GEOGRAPHIC' ? keys.readAngleUnit() : keys.readLengthUnit(keyIds.linearUnit, keyIds.linearSize),
    verticalUnit: keys.readLengthUnit(keyIds.verticalUnit, undefined),
    name:
      kind === 'GEOGRAPHIC'
        ? geographicName
        : (keys.readText(keyIds.projectedCitation) ?? keys.readText(keyIds.citation)),
    epsg: kind === 'GEOGRAPHIC' ? geographic : projected,
    verticalName: keys.readText(keyIds.verticalCitation),
    verticalEpsg: keys.readEpsgCode(keyIds.vertical),
    wkt: undefined,
  };
}

/** The kind of system of a file without the key `model`. */
function guessKind(keys: GeoKeys): StatedSystem['kind'] | undefined {
  if (keys.readEpsgCode(keyIds.projected) !== undefined || keys.readShort(keyIds.linearUnit) !== undefined)
    return 'PROJECTED';
  return keys.readEpsgCode(keyIds.geographic) === undefined ? undefined : 'GEOGRAPHIC';
}

/** An entry of the directory. `tag` is the record that contains the value, or 0 if `value` is the value itself. */
interface GeoKeyEntry {
  readonly tag: number;
  readonly count: number;
  readonly value: number;
}

class GeoKeys {
  readonly #entries = new Map<number, GeoKeyEntry>();
  readonly #records: GeoKeyRecords;

  constructor(records: GeoKeyRecords) {
    this.#records = records;
    const { directory } = records;
    const count = directory.length < 8 ? 0 : directory.readUInt16LE(6);
    for (let offset = 8; offset + 8 <= directory.length && this.#entries.size < count; offset += 8)
      this.#entries.set(directory.readUInt16LE(offset), {
        tag: directory.readUInt16LE(offset + 2),
        count: directory.readUInt16LE(offset + 4),
        value: directory.readUInt16LE(offset + 6),
      });
  }

  readShort(id: number): number | undefined {
    const entry = this.#entries.get(id);
    return entry?.tag === 0 && entry.value > 0 ? entry.value : undefined;
  }

  readEpsgCode(id: number): number | undefined {
    const value = this.readShort(id);
    return value === userDefined ? undefined : value;
  }

  readText(id: number): string | undefined {
    const entry = this.#entries.get(id);
    if (entry?.tag !== textsTag || this.#records.texts === undefined) return undefined;
    const text = this.#records.texts.toString('latin1', entry.value, entry.value + entry.count);
    const clean = text.replace(/[|\0\s]+$/, '').slice(0, 120);
    return clean === '' || /^(unknown|unnamed)$/i.test(clean) ? undefined : clean;
  }

  /** Reads the unit from the key `unit`, or else its size in metres from the key `size`. */
  readLengthUnit(unit: number, size: number | undefined): StatedUnit | undefined {
    const code = this.readShort(unit);
    const customMetres = size === undefined ? undefined : this.#readDouble(size);
    const metres = (code === undefined ? undefined : linearUnits[code]) ?? customMetres;
    if (metres === undefined || !(metres > 0)) return undefined;
    return metres === 1 ? metre : { kind: 'length', metres };
  }

  readAngleUnit(): StatedUnit {
    const code = this.readShort(keyIds.angularUnit);
    const radians = (code === undefined ? undefined : angularUnits[code]) ?? this.#readDouble(keyIds.angularSize);
    return radians === undefined || !(radians > 0) ? degree : { kind: 'angle', radians };
  }

  #readDouble(id: number): number | undefined {
    const entry = this.#entries.get(id);
    const { doubles } = this.#records;
    if (entry?.tag !== doublesTag || !doubles || entry.value * 8 + 8 > doubles.length) return undefined;
    return doubles.readDoubleLE(entry.value * 8);
  }
}
