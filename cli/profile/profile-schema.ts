import { Type, type TSchema } from 'typebox';
import { Profile } from '../../core/common/profile.ts';
import type { KnownPlugin } from './resolved-profile.ts';

/** The schema of a merged profile, with the settings of every known plugin. */
export function createProfileSchema(plugins: ReadonlyMap<string, KnownPlugin>): TSchema {
  const settings = [...plugins].map(([id, { manifest }]) => {
    const settingsSchema = { ...manifest.settings, additionalProperties: false };
    return [
      id,
      Type.Optional(
        manifest.base
          ? settingsSchema
          : Type.Union([Type.Literal(false, { description: 'Switches an inherited plugin off.' }), settingsSchema]),
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
 * The schema of a profile file for editors, which is written to `profiles/profile.schema.json`. It requires no setting,
 * because a file may extend another one and omit defaults.
 */
export function createEditorSchema(plugins: ReadonlyMap<string, KnownPlugin>): TSchema {
  return removeRequired(createProfileSchema(plugins)) as TSchema;
}

/** Removes `required` from a schema, except in items of a list, which are not merged. */
function removeRequired(schema: unknown, key = ''): unknown {
  if (Array.isArray(schema)) return schema.map((item) => removeRequired(item));
  if (typeof schema !== 'object' || schema === null || key === 'items') return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) =>
      name === 'required' && Array.isArray(value) ? [] : [[name, removeRequired(value, name)]],
    ),
  );
}
