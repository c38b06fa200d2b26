// Reads the unit of length and the georeference of an IFC file.
import { IFCCONVERSIONBASEDUNIT, IFCMAPCONVERSION, IFCPROJECT, IFCSIUNIT } from 'web-ifc';

const prefixes = {
  GIGA: 1e9,
  MEGA: 1e6,
  KILO: 1e3,
  HECTO: 100,
  DECA: 10,
  DECI: 0.1,
  CENTI: 0.01,
  MILLI: 0.001,
  MICRO: 1e-6,
  NANO: 1e-9,
};
const maxDepth = 8;
const maxNameLength = 120;

/** The library wraps values in objects, and typed values twice. */
const unwrap = (field) => (field && typeof field === 'object' && 'value' in field ? unwrap(field.value) : field);
const toText = (field) => {
  const text = unwrap(field);
  return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, maxNameLength) : null;
};

/** Returns the georeference and `metres`, the length of the file's unit. They are null if the file states none. */
export function readIfcSystem(api, model) {
  const getLine = (field) => {
    const id = unwrap(field);
    return Number.isInteger(id) && id > 0 ? api.GetLine(model, id) : undefined;
  };
  const computeMetres = (unit, depth = 0) => {
    if (!unit || depth > maxDepth) return undefined;
    if (unit.type === IFCSIUNIT)
      return unwrap(unit.Name) === 'METRE' ? (prefixes[unwrap(unit.Prefix)] ?? 1) : undefined;
    if (unit.type !== IFCCONVERSIONBASEDUNIT) return undefined;
    const factor = getLine(unit.ConversionFactor);
    const metres = Number(unwrap(factor?.ValueComponent)) * computeMetres(getLine(factor?.UnitComponent), depth + 1);
    return metres > 0 && Number.isFinite(metres) ? metres : undefined;
  };
  return { metres: readLengthUnit(), ...(readGeoreference() ?? { name: null, verticalName: null, origin: null }) };

  function readLengthUnit() {
    const projects = api.GetLineIDsWithType(model, IFCPROJECT);
    const project = projects.size() > 0 ? api.GetLine(model, projects.get(0)) : undefined;
    for (const reference of getLine(project?.UnitsInContext)?.Units ?? []) {
      const unit = getLine(reference);
      if (unwrap(unit?.UnitType) === 'LENGTHUNIT') return computeMetres(unit) ?? null;
    }
    return null;
  }

  /** Reads IfcMapConversion and its IfcProjectedCRS. IFC2X3 has neither. */
  function readGeoreference() {
    const conversions = api.GetLineIDsWithType(model, IFCMAPCONVERSION);
    if (conversions.size() === 0) return undefined;
    const conversion = api.GetLine(model, conversions.get(0));
    const target = getLine(conversion.TargetCRS);
    const origin = [conversion.Eastings, conversion.Northings, conversion.OrthogonalHeight].map((part) =>
      Number(unwrap(part) ?? 0),
    );
    return {
      name: toText(target?.Name),
      verticalName: toText(target?.VerticalDatum),
      origin: origin.every(Number.isFinite) ? origin.join(' / ') : null,
    };
  }
}
