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
const plain = (field) => (field && typeof field === 'object' && 'value' in field ? plain(field.value) : field);
const toText = (field) => {
  const text = plain(field);
  return typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, maxNameLength) : null;
};

/** `metres` per unit of length; null if the file states none. */
export function readIfcSystem(api, model) {
  const line = (field) => {
    const id = plain(field);
    return Number.isInteger(id) && id > 0 ? api.GetLine(model, id) : undefined;
  };
  const computeMetres = (unit, depth = 0) => {
    if (!unit || depth > maxDepth) return undefined;
    if (unit.type === IFCSIUNIT) return plain(unit.Name) === 'METRE' ? (prefixes[plain(unit.Prefix)] ?? 1) : undefined;
    if (unit.type !== IFCCONVERSIONBASEDUNIT) return undefined;
    const factor = line(unit.ConversionFactor);
    const metres = Number(plain(factor?.ValueComponent)) * computeMetres(line(factor?.UnitComponent), depth + 1);
    return metres > 0 && Number.isFinite(metres) ? metres : undefined;
  };
  return { metres: lengthUnit(), ...(georeference() ?? { name: null, verticalName: null, origin: null }) };

  function lengthUnit() {
    const projects = api.GetLineIDsWithType(model, IFCPROJECT);
    const project = projects.size() > 0 ? api.GetLine(model, projects.get(0)) : undefined;
    for (const reference of line(project?.UnitsInContext)?.Units ?? []) {
      const unit = line(reference);
      if (plain(unit?.UnitType) === 'LENGTHUNIT') return computeMetres(unit) ?? null;
    }
    return null;
  }

  /** IfcMapConversion and its IfcProjectedCRS; IFC2X3 has neither. */
  function georeference() {
    const conversions = api.GetLineIDsWithType(model, IFCMAPCONVERSION);
    if (conversions.size() === 0) return undefined;
    const conversion = api.GetLine(model, conversions.get(0));
    const target = line(conversion.TargetCRS);
    const origin = [conversion.Eastings, conversion.Northings, conversion.OrthogonalHeight].map((part) =>
      Number(plain(part) ?? 0),
    );
    return {
      name: toText(target?.Name),
      verticalName: toText(target?.VerticalDatum),
      origin: origin.every(Number.isFinite) ? origin.join(' / ') : null,
    };
  }
}
