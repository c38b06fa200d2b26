import { Type, type TSchema } from 'typebox';
import { Profile } from '../../core/common/profile.ts';
import type { KnownPlugin } from './resolved-profile.ts';

/** The schema of a whole profile with the settings of every known plugin; for validation. */
export function profileSchema(plugins: ReadonlyMap<string, KnownPlugin>): TSchema {
  const settings = [...plugins].map(([id, { manifest }]) => {
    const on = { ...manifest.settings, additionalProperties: false };
    return [
      id,
      Type.Optional(
        manifest.base ? on : Type.Union([Type.Literal(false, { description: 'Takes an inherited plugin out.' }), on]),
      ),
    ] as const;
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A profile of Walkdown: one product for one customer',
    ...Profile,
    properties: {
      ...Profile.properties,
      plugins: Type.Object(Object.fromEntries(settings), { additionalProperties: false, default: {} }),
    },
  } as TSchema;
}

/**
 * The schema of a profile file, in which nothing is required: it may extend another one and omit defaults. Written to
 * `profiles/profile.schema.json` for editors.
 */
export function editorSchema(plugins: ReadonlyMap<string, KnownPlugin>): TSchema {
  return optional(profileSchema(plugins)) as TSchema;
}

/** Items of a list are not merged, so what they require stays required. */
function optional(schema: unknown, key = ''): unknown {
  if (Array.isArray(schema)) return schema.map((part) => optional(part));
  if (typeof schema !== 'object' || schema === null || key === 'items') return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) =>
      name === 'required' && Array.isArray(value) ? [] : [[name, optional(value, name)]],
    ),
  );
}
