import { Type, type TSchema } from 'typebox';
import { Profile } from '../../core/common/profile.ts';
import type { KnownPlugin } from './resolved-profile.ts';

/** The schema of a whole profile, with the settings of every known plugin: what an editor completes from and what `validate` checks by. */
export function profileSchema(plugins: ReadonlyMap<string, KnownPlugin>): TSchema {
  const settings = [...plugins].map(([id, { manifest }]) => {
    const on = { ...manifest.settings, additionalProperties: false };
    return [id, Type.Optional(manifest.base ? on : Type.Union([Type.Literal(false, { description: 'Takes an inherited plugin out.' }), on]))] as const;
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A profile of Walkdown: one product for one customer',
    ...Profile,
    properties: { ...Profile.properties, plugins: Type.Object(Object.fromEntries(settings), { additionalProperties: false, default: {} }) },
  } as TSchema;
}

/** The same, for a file that may extend another: nothing is required in it. Written to `profiles/profile.schema.json`. */
export function editorSchema(plugins: ReadonlyMap<string, KnownPlugin>): TSchema {
  const optional = (schema: TSchema): TSchema => {
    const { required: _required, ...rest } = schema as TSchema & { required?: readonly string[]; properties?: Record<string, TSchema> };
    if (!rest.properties) return rest as TSchema;
    return { ...rest, properties: Object.fromEntries(Object.entries(rest.properties).map(([key, value]) => [key, key === 'plugins' ? value : optional(value)])) } as TSchema;
  };
  return optional(profileSchema(plugins));
}
