// Reads the property sets of the elements of an IFC file.
import { IFCPROPERTYSET, IFCPROPERTYSINGLEVALUE, IFCRELDEFINESBYPROPERTIES, IFCRELDEFINESBYTYPE } from 'web-ifc';

const maxPropertiesPerSet = 100;
const unwrap = (field) => (field && typeof field === 'object' && 'value' in field ? unwrap(field.value) : field);
const toIds = (field) => (Array.isArray(field) ? field : [field]).map(unwrap).filter(Number.isInteger);

/**
 * Returns the property sets by element id, each with its single values by name. Sets of an element take
 * precedence over sets of its type. Reads each relation and each set once.
 */
export function readIfcProperties(api, model) {
  const sets = new Map();
  const readSet = (id) => {
    if (!sets.has(id)) sets.set(id, readPropertySet(api, model, id));
    return sets.get(id);
  };
  const byElement = new Map();
  const addSets = (elements, setIds) => {
    for (const set of setIds.map(readSet))
      if (set)
        for (const element of elements) {
          const properties = byElement.get(element) ?? {};
          byElement.set(element, properties);
          properties[set.name] = { ...properties[set.name], ...set.values };
        }
  };
  for (const relation of listLines(api, model, IFCRELDEFINESBYTYPE)) {
    const [type] = toIds(relation.RelatingType);
    if (type !== undefined)
      addSets(toIds(relation.RelatedObjects), toIds(api.GetLine(model, type)?.HasPropertySets ?? []));
  }
  for (const relation of listLines(api, model, IFCRELDEFINESBYPROPERTIES))
    addSets(toIds(relation.RelatedObjects), toIds(relation.RelatingPropertyDefinition));
  return byElement;
}

function* listLines(api, model, type) {
  const ids = api.GetLineIDsWithType(model, type);
  for (let index = 0; index < ids.size(); index += 1) {
    const line = api.GetLine(model, ids.get(index));
    if (line) yield line;
  }
}

function readPropertySet(api, model, id) {
  const set = api.GetLine(model, id);
  const name = unwrap(set?.Name);
  if (set?.type !== IFCPROPERTYSET || typeof name !== 'string' || name === '') return undefined;
  const values = {};
  for (const property of toIds(set.HasProperties ?? []).slice(0, maxPropertiesPerSet)) {
    const line = api.GetLine(model, property);
    const [propertyName, value] = [unwrap(line?.Name), unwrap(line?.NominalValue)];
    if (line?.type === IFCPROPERTYSINGLEVALUE && typeof propertyName === 'string' && isValue(value))
      values[propertyName] = value;
  }
  return { name, values };
}

const isValue = (value) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '';
