// Flattens nested extras, as exporters of plant models write attributes, to one level of paths.

const maxDepth = 6;
const maxValues = 100;
const maxPathLength = 200;
const maxValueLength = 500;
/** Keys with which exporters write attributes as name-value pairs, such as `{ "name": "Tag", "value": "V-2101" }`. */
const pairNameKeys = ['name', 'Name', 'key', 'Key'];
const pairValueKeys = ['value', 'Value', 'val'];

const isPlain = (value) => ['string', 'number', 'boolean'].includes(typeof value);
const findFirst = (object, keys) => keys.map((name) => object[name]).find(isPlain);

/**
 * Returns the values of an object by path, such as `attributes.DESIGN.Tag`. The name of an array element is its index,
 * or the name of its name-value pair. Long values are truncated. Values beyond the limits are omitted.
 */
export function flattenExtras(extras) {
  const valueByPath = {};
  let count = 0;
  const visit = (value, path, depth) => {
    if (isPlain(value)) {
      if (count >= maxValues || path.length > maxPathLength || value === '' || Object.hasOwn(valueByPath, path)) return;
      valueByPath[path] = typeof value === 'string' ? value.slice(0, maxValueLength) : value;
      count += 1;
    } else if (value && typeof value === 'object' && depth < maxDepth)
      for (const [name, child] of listChildren(value)) visit(child, path === '' ? name : `${path}.${name}`, depth + 1);
  };
  visit(extras, '', 0);
  return valueByPath;
}

function listChildren(value) {
  if (!Array.isArray(value)) return Object.entries(value);
  return value.slice(0, maxValues).map((element, index) => {
    const name = element && typeof element === 'object' ? findFirst(element, pairNameKeys) : undefined;
    const pair = name === undefined ? undefined : findFirst(element, pairValueKeys);
    return pair === undefined ? [String(index), element] : [String(name), pair];
  });
}
