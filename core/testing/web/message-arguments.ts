import { isPluralElement, isSelectElement, isTagElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';

/** Names of the arguments of an ICU message, sorted, also of those within plurals, choices and tags. */
export function listArguments(message: string): readonly string[] {
  return [...new Set(parse(message).flatMap(listOf))].toSorted();
}

function listOf(element: MessageFormatElement): readonly string[] {
  if (isPluralElement(element) || isSelectElement(element))
    return [element.value, ...Object.values(element.options).flatMap(({ value }) => value.flatMap(listOf))];
  if (isTagElement(element)) return element.children.flatMap(listOf);
  return element.type === TYPE.literal || element.type === TYPE.pound ? [] : [element.value];
}
