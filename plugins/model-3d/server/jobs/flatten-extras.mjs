// Flattens nested extras, as exporters of plant models write attributes, to one level of paths.

const maxDepth = 6;
const maxValues = 100;
const maxPathLength = 200;
const maxValueLength = 500;
/** Names by which exporters list attributes as pairs, such as `{ "name": "Tag", "value": "V-2101" }`. */
const pairNames = ['name', 'Name', 'key', 'Key'];
const pairValues = ['value', 'Value', 'val'];

const isPlain = (value) => ['string', 'number', 'boolean'].includes(typeof value);
const findFirst = (object, names) => names.map((name) => object[name]).find(isPlain);

/**
 * Returns the values of an object by path, such as `attributes.DESIGN.Tag`. The elements of an array have their number
 * as name, or the name that they state. Long values are cut; values beyond the limits are left out.
 */
export function flattenExtras(extras) {
  const flat = {};
  let count = 0;
  const visit = (value, path, depth) => {
    if (isPlain(value)) {
      if (count >= maxValues || path.length > maxPathLength || value === '' || Object.hasOwn(flat, path)) return;
      flat[path] = typeof value === 'string' ? value.slice(0, maxValueLength) : value;
      count += 1;
    } else if (value && typeof value === 'object' && depth < maxDepth)
      for (const [name, child] of listChildren(value)) visit(child, path === '' ? name : `${path}.${name}`, depth + 1);
  };
  visit(extras, '', 0);
  return flat;
}

function listChildren(value) {
  if (!Array.isArray(value)) return Object.entries(value);
  return value.slice(0, maxValues).map((element, index) => {
    const name = element && typeof element === 'object' ? findFirst(element, pairNames) : undefined;
    const pair = name === undefined ? undefined : findFirst(element, pairValues);
    return pair === undefined ? [String(index), element] : [String(name), pair];
  });
}
